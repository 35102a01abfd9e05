import { join } from 'node:path';
import { Eta } from 'eta';

const eta = new Eta({
  views: join(import.meta.dirname, 'templates'),
  // The templates make code and Markdown: nothing to escape, and every line break is meant.
  autoEscape: false,
  autoTrim: false,
});

export const render = (template: string, data: object): string => eta.render(`./${template}`, data);
