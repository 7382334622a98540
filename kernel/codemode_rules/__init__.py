"""Pure functions of the exec-cell contract that kernel and host both need."""
