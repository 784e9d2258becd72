{{- define "ebb.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "ebb.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 53 | trimSuffix "-" }}
{{- else if contains (include "ebb.name" .) .Release.Name }}
{{- .Release.Name | trunc 53 | trimSuffix "-" }}
{{- else }}
{{- printf "%s-%s" .Release.Name (include "ebb.name" .) | trunc 53 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/* Labels of all pods: the instances, and the job that makes topics. */}}
{{- define "ebb.selectorLabels" -}}
app.kubernetes.io/name: {{ include "ebb.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "ebb.labels" -}}
{{ include "ebb.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end }}

{{- define "ebb.instanceLabels" -}}
{{ include "ebb.selectorLabels" . }}
app.kubernetes.io/component: instance
{{- end }}

{{- define "ebb.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}
{{- default (include "ebb.fullname" .) .Values.serviceAccount.name }}
{{- else }}
{{- default "default" .Values.serviceAccount.name }}
{{- end }}
{{- end }}

{{- define "ebb.secretName" -}}
{{- default (include "ebb.fullname" .) .Values.existingSecret }}
{{- end }}

{{- define "ebb.image" -}}
{{- if .Values.image.digest }}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest }}
{{- else }}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) }}
{{- end }}
{{- end }}

{{/* A port of a setting HOST:PORT. */}}
{{- define "ebb.apiPort" -}}
{{- index .Values.settings "api.listen" | splitList ":" | last }}
{{- end }}

{{- define "ebb.healthPort" -}}
{{- index .Values.settings "health.listen" | splitList ":" | last }}
{{- end }}

{{- define "ebb.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "ebb.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: ["ALL"]
{{- end }}

{{/* What both kinds of pods have. */}}
{{- define "ebb.podCommons" -}}
serviceAccountName: {{ include "ebb.serviceAccountName" . }}
automountServiceAccountToken: false
# Ebb would take variables of services for settings (EBB_API_PORT …).
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
