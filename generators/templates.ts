import { join } from 'node:path';
import { Eta } from 'eta';

const eta = new Eta({
  views: join(import.meta.dirname, 'templates'),
  // The templates produce code and Markdown, which need no HTML escaping and keep line breaks.
  autoEscape: false,
  autoTrim: false,
});

export const render = (template: string, data: object): string => eta.render(`./${template}`, data);
