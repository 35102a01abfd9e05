/** Why a passer-by cannot judge a rule, where several rules have the same reason. */
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
} as const;
