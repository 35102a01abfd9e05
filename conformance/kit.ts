/** All that the author of a rule imports, besides what rules share: see `rules/shared/`. */

// What a rule is made of.
export * from './rule-home.js';
export * from './session/scope/rule-checks.js';

// Properties, matchers and verdicts.
export * from './engine/property.js';
export * from './engine/matchers.js';
export * from './engine/outcomes.js';

// What passes, as a passer-by judges it.
export * from './passing/documents.js';
export * from './passing/judges.js';
export * from './passing/passed.js';
export * from './passing/selects.js';

// Generated inputs: what is written, and what is asked.
export * from './arbitraries/histories.js';
export * from './arbitraries/pool.js';
export * from './arbitraries/live.js';
export * from './arbitraries/requests.js';
export * from './arbitraries/filter-scenarios.js';
export * from './arbitraries/attachments.js';
export * from './arbitraries/users.js';
export * from './arbitraries/token-parts.js';
export * from './arbitraries/whole-list.js';

// The oracle: what a database may show.
export * from './oracle/history.js';
export * from './oracle/revisions.js';
export * from './oracle/allowed-rows.js';
export * from './oracle/filters.js';
export * from './oracle/functions.js';

// Writes to the target, and reads from it.
export * from './http/client.js';
export * from './http/document-requests.js';
export * from './http/feed-times.js';
export * from './http/parse-json.js';
export * from './play/player.js';
export * from './play/shared.js';
export * from './play/read-feed.js';
export * from './play/live-feed.js';
export * from './play/feed-readers.js';
export * from './play/send-filters.js';
export * from './play/expect-json.js';
export * from './play/make-token.js';
export * from './play/all-settled.js';
