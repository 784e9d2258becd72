-- Who let a change through that the brake had held back stands beside the change itself, under the same version.

COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; POLICY: a policy came into force or went out of it; HOLD: a hold was placed or released; CONFIRMATION: somebody let through the change of that scope and version, which the brake had held back';
