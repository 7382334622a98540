"""The gate as a person meets it: where its rules come from, `%gate`, and what it shows."""
