/**
 * The attribute of what saves a whole output at a click: folder and name of its file. The kernel
 * writes it, too (`captures/bundle.py`).
 */
export const FILE_ATTRIBUTE = 'data-codemode-capture';
