/** Why a passer-by cannot judge a rule or the rest of it, or misses a fault of one that it judges, where several have the same reason. */
export const unseen = {
  settings: 'It depends on settings of the target, which do not pass by.',
  otherWriters: 'It depends on all writes to the database, and others may write past the proxy.',
  twoRequests: 'It compares two requests at a time without writes, which a passer-by cannot know.',
  passwords: 'Only who knows the right password can tell whether one is wrong.',
  keys: 'Only who knows the keys of the target can verify a signature.',
  rolesClaim: 'The claim with the roles is a setting of the target, which does not pass by.',
  code: 'It depends on what a function of a design document returns.',
  nodes: 'The proxy has one target, not several nodes.',
  earlyEnd: 'A feed may end early: the maximum of its timeout is a setting, and a server may stop.',
  arrival: 'When a change must arrive depends on the load of the target.',
  access:
    'Who may do what, and with which password, cookie or token, depends on users, keys and settings of the target.',
  stored:
    'Only who knows what is stored can tell that a document, its revisions or its attachments are incomplete or changed.',
  lackingRows:
    'The feed lacks rows, but it may have ended early, or a filter decides which rows belong in it.',
  order: 'A seq does not tell a passer-by where it is in the order of changes.',
  end: 'A feed may end early, so that a row that it lacks proves nothing.',
  precise: 'The target, the network or this machine may delay what arrives.',
  position:
    'The feed starts, continues or counts elsewhere, but a seq does not tell a passer-by where it is in the order.',
  slow: 'It shows only in a feed that is open for seconds.',
  rare: 'Ordinary traffic has no such request, document or setting.',
  once: 'A server may fail once; only the same request, sent again, shows that it always does.',
  undocumented: 'The service document does not show the operation that shows it.',
} as const;
