/** The greeting (SERVICE 2.1). */
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import { anObject, aString, type Matcher, matching, objectWith } from '../../kit.js';

export const greetingShape = ({ greeting }: DialectNames): Matcher =>
  objectWith({
    [greeting]: aString,
    uuid: matching(/^[0-9a-f]+(-[0-9a-f]+)*$/i, 'hexadecimal digits'),
    version: aString,
    vendor: anObject,
  });

export const vendorShape = objectWith({ name: aString, version: aString });
