import type { ModelAgreement, QueuedInstruction } from './model-agreement.ts'
import { statusAfter } from './model-bank.ts'
import type { Instruction } from './model-bank.ts'
import { stateOf } from './model-payment.ts'
import type { ModelPayment, PaymentStatus } from './model-payment.ts'
import type { JobName } from './operation.ts'
import { DAY_MS, MINUTE_MS } from './sydney-calendar.ts'

/** What the service does by itself with an agreement at a time, in ms since 1970. */
export const jobs: Readonly<Record<JobName, (agreement: ModelAgreement, now: number) => void>> = {
  'send instructions': tell,
  'receive notices': hear,
  'collect due payments': (agreement, now) => {
    agreement.collect(now)
  },
  'send payments': send,
  'ask after payments': askAfter,
  'end agreements': end,
}

/** Until an instruction has to wait for a payment that was accepted before it, and that the bank may not have yet. */
function tell(agreement: ModelAgreement, now: number): void {
  for (let next = agreement.instructions[0]; next !== undefined; next = agreement.instructions[0]) {
    if (next.lookAt > now) return
    if (awaitsPayment(agreement, next, now)) {
      next.lookAt = lookAgainAt(next.queuedAt, now)
      return
    }
    agreement.instructions.shift()
    if (next.instruction.tell === 'release') lookNow(agreement.payments, now)
    follow(agreement, next.instruction, now)
  }
}

function follow(agreement: ModelAgreement, instruction: Instruction, now: number): void {
  const isDone = agreement.bank.follow(instruction, now)
  // The debtor has suspended it as well.
  if (instruction.tell === 'release' && !isDone) agreement.move('suspend', 'debtor', now)
  if (instruction.tell !== 'amend' && instruction.tell !== 'withdraw') return
  if (agreement.pending?.amendment !== instruction.amendment) return
  if (instruction.tell === 'amend' && !isDone) agreement.dropAmendment('amendment_declined', 'service', now)
  if (instruction.tell === 'withdraw' && isDone) agreement.dropAmendment('amendment_lapsed', 'service', now)
}

/** Order is kept for a day; what has to wait is looked at at once, then after as long as it has waited, every five minutes at least. */
const isRecent = (since: number, now: number) => since > now - DAY_MS
const lookAgainAt = (since: number, now: number) =>
  now + Math.max(200, Math.min(5 * MINUTE_MS, Math.floor((now - since) / 2)))

/** What was put off is looked at now, as what it waited for is settled. */
function lookNow(waiting: readonly { lookAt: number }[], now: number): void {
  for (const one of waiting) one.lookAt = Math.min(one.lookAt, now)
}

function awaitsPayment(
  { payments }: ModelAgreement,
  { instruction: { tell: kind }, changes }: QueuedInstruction,
  now: number,
): boolean {
  if (kind === 'create' || kind === 'withdraw' || kind === 'release') return false
  return payments.some((payment) => {
    if (payment.changes >= changes || !isRecent(payment.createdAt, now)) return false
    const isOnItsWay = stateOf(payment) === 'processing' && (payment.askedAt ?? now) > now - 5 * MINUTE_MS
    return stateOf(payment) === 'received' || isOnItsWay
  })
}

function awaitsRelease({ instructions }: ModelAgreement, payment: ModelPayment, now: number): boolean {
  return (
    isRecent(payment.createdAt, now) &&
    instructions.some(
      ({ instruction, changes }) => instruction.tell === 'release' && changes <= payment.changes,
    )
  )
}

/** What was due before each answer is collected first. */
function hear(agreement: ModelAgreement, now: number): void {
  agreement.collect(now)
  agreement.bank.pauseInTime(now)
  for (const notice of agreement.bank.notices.splice(0)) {
    agreement.collect(now)
    agreement.hear(notice, now)
  }
}

function send(agreement: ModelAgreement, now: number): void {
  const { bank, debtor, payments } = agreement
  const due = payments.filter((payment) => stateOf(payment) === 'received' && payment.lookAt <= now)
  const sent = due.filter((payment) => !awaitsRelease(agreement, payment, now))
  for (const payment of due) payment.lookAt = lookAgainAt(payment.createdAt, now)
  for (const payment of sent) {
    payment.states.push('processing')
    payment.askedAt = now
    payment.verdict = bank.pay(payment.cents)
    if (debtor === 'late') continue
    if (debtor === 'investigate' && payment.verdict === 'settled') payment.states.push('under_investigation')
    else conclude(payment, now)
    lookNow(agreement.instructions, now)
  }
  agreement.expireByLast(
    sent.filter((payment) => stateOf(payment) === 'settled'),
    now,
  )
}

/** A payment's outcome is known, and an investigation ends, the first time that the service asks after sending it. */
function askAfter(agreement: ModelAgreement, now: number): void {
  const open: readonly PaymentStatus[] = ['processing', 'under_investigation']
  const asked = agreement.payments.filter(
    (payment) => open.includes(stateOf(payment)) && (payment.askedAt ?? now) < now,
  )
  for (const payment of asked) conclude(payment, now)
  if (asked.length > 0) lookNow(agreement.instructions, now)
  agreement.expireByLast(
    asked.filter((payment) => stateOf(payment) === 'settled'),
    now,
  )
}

function conclude(payment: ModelPayment, now: number): void {
  payment.states.push(payment.verdict === 'settled' ? 'settled' : 'failed')
  payment.endedAt = now
}

/** Debtors' answers are received before anything lapses. An amendment lapses once the bank has withdrawn it. */
function end(agreement: ModelAgreement, now: number): void {
  agreement.expireByDate(now)
  hear(agreement, now)
  if (agreement.requiredBy <= now && statusAfter(agreement.status, 'lapse') !== null)
    agreement.move('lapse', 'service', now)
  const { pending } = agreement
  if (pending === null || pending.isWithdrawn || pending.requiredBy > now) return
  pending.isWithdrawn = true
  agreement.tell({ tell: 'withdraw', amendment: pending.amendment }, now)
}
