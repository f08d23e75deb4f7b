import { inSentence } from '../../formats/in-sentence.ts'

/** What a gateway calls its key, within a sentence: "signing secret", but "HMAC key". */
function nameInside(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name
}

export const gatewayTexts = {
  title: 'Gateways',
  one: 'Gateway',
  description: 'Where your charges go. Each charge goes to the default one unless it names another.',
  list: 'Gateways',
  none: { title: 'No gateway yet', words: 'Add one to take payments. Until then every charge is refused.' },
  columns: { name: 'Name', type: 'Type', credentials: 'Credentials', arrival: 'Notifications', state: 'Use' },
  sandbox: 'Sandbox: moves no money',
  stored: 'Stored, encrypted',
  notNeeded: 'None needed',
  sendsNone: 'Sends none',
  isDefault: 'Default',
  other: 'When named',
  add: 'Connect a gateway',
  cancel: 'Cancel',
  done: 'Done',
  test: 'Test',
  testing: 'Testing …',
  makeDefault: 'Make default',
  defaultTitle: (name: string) => `Send new charges to ${inSentence(name)}?`,
  defaultWords: 'Charges that name no gateway go there from now on. Existing charges stay where they are.',
  defaulted: (name: string) => `New charges go to ${inSentence(name)}.`,
  steps: {
    label: 'Steps to connect a gateway',
    done: 'done',
    account: 'Account',
    setup: 'Notifications',
    arrives: 'First notification',
  },
  connect: {
    title: 'Connect a gateway',
    description: 'You need its own pages open beside this one. It takes about five minutes.',
    account: 'Account',
    accountWords: 'The gateway is asked at once whether it takes what you enter. No money is moved.',
    submit: 'Check and connect',
    type: 'Gateway',
    lacks: {
      partial_capture: 'Captures the whole amount or nothing.',
      look_up: 'An outcome that was lost has to be looked up there.',
      notifications: 'Does not tell what happens to a payment later.',
      disputes: 'Disputes are answered there, not here.',
      authentication: 'Has no card holder authenticated (3-D Secure).',
    },
    keyHint: 'Stored encrypted, and never shown again.',
    name: 'Name',
    nameHint: 'What your team calls it here.',
    isDefault: 'Send new charges here',
    added: (name: string) => `${inSentence(name)} takes the account, and was added.`,
    unchecked: (name: string, why: string) =>
      `${inSentence(name)} was added, and could not be asked about the account. ${why} Test it before you take payments.`,
  },
  account: {
    title: 'Account',
    description: 'What was entered of your account there. The key is shown to nobody.',
    unreadable: 'What was entered can’t be read: the operator enters the account by svc gateways change.',
    id: 'Gateway id',
    idLabel: 'gateway id',
    replace: 'Replace the key',
    replaceTitle: 'Replace the key',
    replaceWords:
      'Make the new key at the gateway first, and end the old one there once this one is in place. No payment is lost meanwhile.',
    replaceSubmit: 'Check and replace',
    replaced: 'The key was replaced. Running services use it within five seconds.',
  },
  authentication: {
    title: '3-D Secure',
    description:
      'Whether card holders are authenticated by their bank, where neither the request nor the template of the checkout says so.',
    change: 'Change',
    label: 'Card holders are authenticated',
    submit: 'Save',
    changed: 'New charges follow within five seconds.',
    options: {
      automatic: {
        words: 'Where a rule or the bank wants it',
        hint: 'Most payments go through without a question.',
      },
      challenge: {
        words: 'With a question, where the bank can',
        hint: 'Most banks then bear a fraud. Some card holders give up.',
      },
      never: { words: 'Never', hint: 'A bank that insists on it declines.' },
    },
  },
  setup: {
    title: 'Notifications',
    description: (gateway: string) =>
      `${gateway} tells later what became of a payment: a capture that failed, a refund that came back. Without notifications this service believes what it was told first.`,
    enter: (gateway: string) => `What to enter at ${gateway}`,
    follow: (gateway: string) => `What to do at ${gateway}`,
    address: 'Address',
    events: 'Events',
    user: 'User',
    password: 'Password',
    userAndPassword: 'User and password',
    passwordMade: 'Shown once when it was made',
    passwordMissing: 'Not made yet',
    makePassword: 'Make user and password',
    newPassword: 'New password',
    newPasswordTitle: 'Make a new password?',
    newPasswordWords:
      'Enter it at the gateway afterwards. The one before stays good until you end it, so nothing is refused meanwhile.',
    madeTitle: 'User and password',
    madeWords: 'Enter both at the gateway before you close this.',
    copyEvents: 'events',
    key: (name: string) => `Enter the ${nameInside(name)} here`,
    keyMissing: 'Once the steps above are done.',
    keyStored:
      'One is stored. Another one may be entered at any time: the one before stays good until you end it.',
    keySave: (name: string) => `Save the ${nameInside(name)}`,
    keySaved: (name: string) =>
      `The ${nameInside(name)} was saved. Running services use it within five seconds.`,
    fold: (gateway: string) => `How it is set up at ${gateway}`,
    former:
      'What was good before the last change still is, so that nothing is refused while you change it at the gateway.',
    endFormer: 'End the former secrets',
    endFormerTitle: 'End the former secrets?',
    endFormerWords:
      'What is proved by the former key or password is refused from now on. Notifications that prove themselves by the new ones go on as before.',
    endFormerEarly: 'No notification has come by the new ones yet: if they are wrong, all are refused.',
    formerEnded: 'The former secrets are of no use any more.',
  },
  arrival: {
    title: 'Do notifications arrive?',
    badges: {
      missing: 'Not set up',
      waiting: 'Waiting',
      refused: 'Refused',
      silent: 'Nothing comes',
      arrives: 'They arrive',
    },
    words: {
      missing: 'Set notifications up as above. Then this page shows when the first one comes.',
      waiting: 'Waiting for the first notification that what you entered last proves …',
      former:
        'Notifications come, proved by the former secrets. Waiting for the first one that the new ones prove …',
      arrives: 'The gateway and this service have the same secrets.',
      silent: 'They have arrived before, and do not any more.',
      refused: 'Something has come, and was refused. Waiting for one that what you entered last proves …',
    },
    refused: (count: string, isOne: boolean) =>
      `${count} ${isOne ? 'notification was' : 'notifications were'} refused since the last change, the last one on`,
    refusedBefore: 'Others have arrived since, so there is nothing to do.',
    silentSince:
      'A payment was made there more than a day ago, and no notification has come since. See at the gateway whether they are switched on, and whether it shows failures. The last such payment is of',
    stranger: 'Anybody can send to this address: if the gateway shows no failure, somebody else has tried.',
    firstTest: 'Send a test',
    heard: 'Last one came',
    never: 'Never',
    changed: 'Secrets last changed',
    waitingCount: 'Waiting to be worked off',
    unexplained: 'Contradict a charge, or are of a payment made elsewhere',
    notUnderstood: 'Can’t be read',
    counted: (count: string) => `${count}+`,
    checkAddress: 'Test the address',
    checking: 'Testing …',
    checkWords:
      'This service sends itself a test by the public address: name, certificate and proxies are tried, the gateway’s secrets are not.',
  },
} as const
