/** Faults of filters in feeds that wait for changes. */
import { type Fault } from '../../reference/index.js';
import { filtering, isDesign, passingOnly } from './shared/filters.js';

export const filterModesFaults: readonly Fault[] = [
  {
    id: 'live-filter-forgotten',
    rule: 'filter-in-every-mode',
    summary: 'What is written while a feed is open passes every filter.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const opened = database.position;
        const lenient = filtering((verdicts, { head }) =>
          verdicts.map((passes) => passes || head.position > opened),
        );
        return lenient(parts).createFilter(database, request, context);
      },
    }),
  },
  {
    id: 'live-deleted-kept-back',
    rule: 'filter-in-every-mode',
    summary: 'Deletions that are made while a feed with a filter is open do not pass.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const opened = database.position;
        return passingOnly(
          /./,
          ({ head }) => !head.leaves.deleted || head.position <= opened,
        )(parts).createFilter(database, request, context);
      },
    }),
  },
  {
    id: 'longpoll-ended-by-rejected',
    rule: 'filter-in-every-mode',
    summary: 'A long poll gives a change of a design document whatever its filter says.',
    replace: (parts) => ({
      ...parts,
      createFilter(database, request, context) {
        const isLongpoll = /[?&]feed=longpoll/.test(context.requestHead.url);
        const lenient = filtering((verdicts, { head }) =>
          verdicts.map((passes) => passes || isDesign(head.id)),
        );
        return (isLongpoll ? lenient(parts) : parts).createFilter(database, request, context);
      },
    }),
  },
];
