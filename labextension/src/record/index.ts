import type { IRenderMime } from '@jupyterlab/rendermime-interfaces';

import { RecordWidget } from './widget';

/** MIME type of the record that the kernel saves with every exec and wait. */
export const MIME_TYPE = 'application/vnd.codemode.cell+json';

const extension: IRenderMime.IExtension = {
  id: 'codemode-labextension:record',
  description: 'Shows what a Code Mode cell did.',
  dataType: 'json',
  rendererFactory: {
    // Untrusted notebooks show it too: nothing of a record is ever read as HTML.
    safe: true,
    mimeTypes: [MIME_TYPE],
    createRenderer: options => new RecordWidget(options.mimeType)
  },
  rank: 0
};

export default extension;
