"""The host process: protocol V1, cells and the engine. Knows nothing of Jupyter or of tools."""
