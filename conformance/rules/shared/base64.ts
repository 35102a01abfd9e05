/** The encoding of attachments (SERVICE 4.5). */
import { matching } from '../../kit.js';

export const aBase64 = matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'Base64');
