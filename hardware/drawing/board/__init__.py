"""The board in the turret, as a perforated board and as a KiCad project, both from one list of nets and holes."""
