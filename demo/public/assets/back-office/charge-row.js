import { cell, make } from '../make.js'

export const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'AUD' })
const when = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

/** What the people of a shop call each status of a charge. */
export const STATUS_WORDS = {
  processing: 'being checked',
  pending: 'held',
  complete: 'paid',
  cancelled: 'released',
  refunded: 'refunded',
  failed: 'not paid',
  pre_authentication_pending: 'at the bank',
  not_authenticated: 'not confirmed',
}

/**
 * One charge as a row of the table. `act(row, charge, action, amount)` is called for what can be done with it: a hold is captured or
 * cancelled, and what was taken can be refunded.
 */
export function chargeRow(charge, act) {
  const name = charge.reference ?? charge.id
  const badge = { class: 'badge', 'data-status': charge.status }
  return make(
    'tr',
    { 'data-charge': charge.id },
    cell(
      'Date',
      'when',
      make('time', { datetime: charge.created_at }, when.format(new Date(charge.created_at))),
    ),
    cell('Order', 'when', name),
    cell('Card', 'when', charge.card),
    cell('Amount', 'number', dollars.format(charge.amount)),
    cell('Status', '', make('span', badge, STATUS_WORDS[charge.status] ?? charge.status)),
    cell('', 'act-cell', make('div', { class: 'choices' }, ...choices(charge, name, act), ...notes(charge))),
  )
}

function choices(charge, name, act) {
  if (charge.status === 'pending') return [holdForm(charge, name, act)]
  if (charge.refundable > 0) return [refundForm(charge, name, act)]
  return []
}

/** Details of a charge: how much was taken or refunded, or why it failed. */
function notes({ amount, captured, refunded, reason, status }) {
  const isPart = captured !== null && captured !== amount
  return [
    isPart && `${dollars.format(captured)} taken, the rest released.`,
    status === 'complete' && refunded > 0 && `${dollars.format(refunded)} given back.`,
    reason,
  ]
    .filter(Boolean)
    .map((words) => make('small', {}, words))
}

function amountInput(label, dollarsLeft) {
  return make('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': label,
    value: dollarsLeft.toFixed(2),
  })
}

function button(words, name, look, type) {
  return make('button', { class: look, type, 'aria-label': `${words} ${name}` }, words)
}

function holdForm(charge, name, act) {
  const amount = amountInput(`Amount to capture of ${name}`, charge.amount)
  const cancel = button('Cancel', name, 'secondary', 'button')
  const form = make('form', { class: 'act' }, amount, button('Capture', name, 'primary', 'submit'), cancel)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(form.closest('tr'), charge, 'capture', amount.value.trim())
  })
  cancel.addEventListener('click', () => act(form.closest('tr'), charge, 'cancel'))
  return form
}

function refundForm(charge, name, act) {
  const amount = amountInput(`Amount to refund of ${name}`, charge.refundable)
  const form = make('form', { class: 'act' }, amount, button('Refund', name, 'secondary', 'submit'))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(form.closest('tr'), charge, 'refund', amount.value.trim())
  })
  return form
}
