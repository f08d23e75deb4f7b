import type { DisputeCategory, DisputeChange } from '../../../../contract/api/disputes/dispute-resource.ts'
import { inSentence } from '../../../formats/in-sentence.ts'

/** For each reason: what is claimed, and what convinces the card holder's bank of the contrary. */
export const claimTexts: Readonly<Record<DisputeCategory, { claim: string; proof: string | null }>> = {
  fraud: {
    claim:
      'The card holder says that they did not make this payment, and that nobody was allowed to make it.',
    proof:
      'What shows that the card holder took part: 3-D Secure, a delivery to the card’s address, messages, or earlier orders of the same person from the same device that were never disputed.',
  },
  authorisation: {
    claim: 'The bank says that it had not approved this payment, or not for this card, amount or day.',
    proof: 'The approval of this payment: its code, amount and date, and that the card was valid that day.',
  },
  processing_error: {
    claim:
      'The bank says that the payment was processed wrongly: with a wrong amount, currency or card number, or too late.',
    proof:
      'The order and the receipt that the card holder agreed to, with the same amount, currency and date.',
  },
  not_received: {
    claim: 'The card holder says that they paid for something that never came.',
    proof:
      'That it came: carrier, tracking number, day and address of the delivery; for a service or a download, when and how it was used.',
  },
  not_as_described: {
    claim: 'The card holder says that what came was faulty, or not what was described.',
    proof:
      'What you had described and what was sent, your terms for returns, your messages with the card holder, and that nothing was sent back to you.',
  },
  cancelled: {
    claim:
      'The card holder says that they had cancelled or sent something back, and still wait for their money.',
    proof:
      'The terms that the card holder accepted, that nothing was cancelled or returned in time, use after that day, or the refund that you have already made.',
  },
  duplicate: {
    claim: 'The card holder says that they paid twice for the same thing, or had paid for it in another way.',
    proof: 'That these are two orders: both receipts, and both deliveries.',
  },
  other: {
    claim: 'The card holder’s bank disputes this payment. What it says about it stands under Details.',
    proof: null,
  },
}

export const disputeDetailTexts = {
  back: 'Disputes',
  title: 'Dispute',
  happened: 'What happened',
  history: 'History',
  historyWords: 'What was told and done, the newest first.',
  details: 'Details',
  charge: 'Charge',
  proof: 'What convinces the bank: ',
  stake: {
    inquiry: (amount: string) =>
      `It is an inquiry about ${amount}: the bank asks, and no money has moved. Answered well, it often ends here; unanswered, it can become a chargeback.`,
    withdrawn: (amount: string) =>
      `The bank has charged ${amount} back, and the gateway has taken it from you. You get it back if you win.`,
    notWithdrawn: (amount: string) =>
      `The bank charges ${amount} back. The gateway has not taken it from you so far.`,
    second: (amount: string) =>
      `The bank did not accept the first defence, and charges ${amount} back once more. Defend it again only with something new, beside what you sent before: the scheme may ask for a fee of whoever loses now.`,
  },
  facts: {
    amount: 'Disputed',
    money: 'Money',
    stage: 'Stage',
    reason: 'Reason',
    code: 'Scheme’s code',
    words: 'In the bank’s words',
    due: 'Answer by',
    opened: 'Opened',
    gateway: 'Gateway',
    gatewayId: 'Gateway’s id',
    id: 'Dispute id',
    charged: 'Charged',
    reference: 'Reference',
    card: 'Card',
    holder: 'Name on card',
    customer: 'Customer',
    email: 'E-mail',
    paid: 'Paid',
    refunded: 'Refunded already',
  },
  withdrawn: 'Taken from you',
  notWithdrawn: 'With you',
  idLabel: 'dispute id',
  openCharge: 'Open the charge',
} as const

/** What stands at the top of the page, by where the dispute stands. Amounts and times are in words already. */
export const noticeTexts = {
  open: (amount: string, at: string, when: string) =>
    `Answer by ${at} (${when}). Without an answer in time the card holder keeps ${amount}.`,
  openInquiry: (at: string, when: string) =>
    `Answer by ${at} (${when}). Without an answer in time the inquiry can become a chargeback.`,
  openUntold: (amount: string) =>
    `Answer soon: the gateway does not tell until when. Without an answer the card holder keeps ${amount}.`,
  mayOnlyRead: 'Your role can’t answer it. Tell an owner or a developer of your team.',
  sendingDefence: 'Your defence is on its way to the gateway. This page shows when the gateway has taken it.',
  sendingAccept:
    'It is on its way to the gateway that you accept. This page shows when the gateway has taken it.',
  refused: (message: string) => `The gateway did not take your answer: ${inSentence(message)}`,
  refusedNext: 'Put right what the gateway says, then answer once more.',
  over: (at: string) =>
    `The time to answer ended on ${at}. Nothing can be sent any more; the gateway will tell how it ends.`,
  elsewhere: (gateway: string, id: string) =>
    `This dispute can’t be answered here. Answer it in the pages of ${inSentence(gateway)}, where its id is ${inSentence(id)}.`,
  elsewhereBy: (at: string, when: string) => `Its deadline is ${at} (${when}).`,
  review:
    'The card holder’s bank looks at your defence. That often takes two months or more, and nothing else can be done meanwhile.',
  reviewElsewhere: 'The card holder’s bank decides. Nothing else can be done here meanwhile.',
  won: (amount: string) => `You have won. ${amount} is yours.`,
  wonPending: (amount: string) => `You have won. The gateway has not given ${amount} back so far.`,
  lost: (amount: string) => `The bank has decided for the card holder, who keeps ${amount}.`,
  lostInquiry: 'The bank has decided for the card holder.',
  accepted: (amount: string) => `You have accepted this dispute. The card holder keeps ${amount}.`,
} as const

/** What an entry of the history says. */
export const changeTexts: Readonly<Record<DisputeChange, string>> = {
  opened: 'Disputed',
  evidence_due: 'To be answered soon',
  under_review: 'Under review',
  won: 'Won',
  lost: 'Lost',
  accepted: 'Accepted',
  reopened: 'Disputed once more',
  updated: 'Changed',
}

export const answerTexts = {
  title: 'Your answer',
  words:
    'Defend it with files that prove your side, or accept it. You can answer only once, so look at everything before you send it.',
  onlyAccept: 'The gateway takes no defence of this dispute: it can only be accepted.',
  noDefence: 'The gateway offers no defence of this dispute. Accept it, or ask the gateway.',
  defences: 'How do you defend it?',
  statement: 'In your own words',
  statementHint:
    'Say briefly what was bought, when and how it was delivered, and which file shows it. It goes to the bank with the files.',
  statementFault: (max: string) => `Write ${max} characters at most.`,
  choose: 'Choose how you defend it.',
  wait: 'A file is still being sent. Wait until it is there.',
  missing: (names: readonly string[]) => `Still needed: ${names.map(inSentence).join('; ')}.`,
  missingOneOf: (names: readonly string[]) =>
    `Still needed is one of these: ${names.map(inSentence).join('; ')}.`,
  strange: (names: readonly string[]) =>
    `Remove first what the gateway takes in no defence: ${names.map(inSentence).join('; ')}.`,
  changed: (added: readonly string[], removed: readonly string[]) => {
    const said = [
      added.length > 0 && `${added.map(inSentence).join(', ')} came in`,
      removed.length > 0 && `${removed.map(inSentence).join(', ')} went out`,
    ].filter((one) => one !== false)
    return `The files have changed while you were asked: ${said.join(', and ')}. Look at them, then send your defence.`
  },
  defend: 'Send defence',
  accept: 'Accept dispute',
  defendTitle: 'Send this defence?',
  defendWords: (defence: string, files: string) => `${inSentence(defence)}, with ${files}.`,
  files: (count: number) => (count === 0 ? 'no file' : count === 1 ? '1 file' : `${String(count)} files`),
  once: 'You can answer only once: after this nothing can be added or changed.',
  withoutStatement: 'It has no words of your own.',
  acceptTitle: 'Accept this dispute?',
  acceptWords: (amount: string) =>
    `The card holder keeps ${amount}, and you can’t defend it any more. This can’t be undone.`,
  acceptInquiry: (amount: string) =>
    `You let the card holder have ${amount}, and can’t defend it any more. This can’t be undone.`,
  acceptTaken: 'The gateway has taken the money already: do not refund it as well.',
  given: {
    title: 'What you answered',
    defend: 'Defended',
    accept: 'Accepted',
    defence: 'Defence',
    statement: 'In your own words',
    at: 'Sent',
    files: 'Files',
    notTaken: 'Not taken',
  },
  /** What was answered before the dispute went on. */
  givenAt: {
    inquiry: 'What you answered to the inquiry',
    chargeback: 'What you answered to the first chargeback',
    second_chargeback: 'What you answered to the second chargeback',
  },
} as const

export const evidenceTexts = {
  title: 'Files',
  or: 'or',
  limits: (types: string, one: string, all: string) =>
    `${types}, up to ${one} a file and ${all} together. One file for each.`,
  requirements: {
    required: 'Required',
    one_or_more: 'One of these is required',
    optional: 'Optional',
  },
  choose: 'Choose a file',
  chooseFor: (what: string) => `Choose a file: ${what}`,
  drop: 'or drop it here',
  sending: (name: string) => `${inSentence(name)} is being sent …`,
  added: (name: string) => `${inSentence(name)} was added.`,
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${inSentence(name)} was removed.`,
  others: 'Other files',
  othersWords: 'These belong to another defence, and are not sent with this one.',
  strange: 'Files that no defence takes',
  strangeWords: 'Remove these first: the gateway does not know what they are to prove.',
  sentBefore: 'sent with your earlier answer',
  nameless: 'file',
  faults: {
    type: (name: string, types: string) =>
      `${inSentence(name)} can’t be sent: the gateway takes ${types}. Save or print it as one of these, then choose that file.`,
    empty: (name: string) => `${inSentence(name)} is empty. Choose another file.`,
    large: (name: string, size: string, max: string) =>
      `${inSentence(name)} has ${size}, and a file may have ${max} at most. Make it smaller, or keep only the pages that prove something.`,
    count: (max: string) => `A dispute takes ${max} files at most. Remove one first.`,
    total: (name: string, size: string, max: string) =>
      `With ${inSentence(name)} all files would have ${size}, and ${max} is the most. Remove or shrink one first.`,
    several: 'One file goes here. Put the pages into one PDF, then choose that.',
    refused: (name: string, message: string) => message.replace(/^This\b/, () => inSentence(name)),
    unreadable: (name: string) => `The browser can’t read ${inSentence(name)}. Choose it again.`,
  },
} as const
