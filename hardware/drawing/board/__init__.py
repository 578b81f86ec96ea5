"""The board in the turret from its one list of nets and holes: as a perforated board, and as KiCad's."""
