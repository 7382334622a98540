"""Where tools come from: one file a source, all of one shape (`base.Source`)."""
