-- Rows that 'ebb verify --repair' had sent again stand in the audit as well.

COMMENT ON COLUMN retention_audit.kind IS 'DELETE: a run of deletes of one stream with one cause and policy version; POLICY: a policy came into force or went out of it; HOLD: a hold was placed or released; CONFIRMATION: somebody let through the change of that scope and version, which the brake had held back; REPAIR: rows of the mirror that differed were sent again, and nothing that is stored was changed';
