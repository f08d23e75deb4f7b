import { cell, make } from '../make.js'

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'AUD' })
const when = new Intl.DateTimeFormat('en-AU', {
  day: 'numeric',
  month: 'short',
  hour: 'numeric',
  minute: '2-digit',
})

/**
 * One charge as a row of the table. `act(row, charge, action, body)` is called for Capture and Cancel, which
 * only a charge that is pending has.
 */
export function chargeRow(charge, act) {
  const name = charge.reference ?? charge.id
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
    cell('Status', '', make('span', { class: 'badge', 'data-status': charge.status }, charge.status)),
    cell('', 'act-cell', charge.status === 'pending' ? choices(charge, name, act) : note(charge)),
  )
}

/** What there is to say of a charge that is settled: how much was taken, or why it failed. */
function note({ amount, captured, reason }) {
  const part = captured !== null && captured !== amount
  return make('small', {}, part ? `${dollars.format(captured)} taken, the rest released.` : (reason ?? ''))
}

function choices(charge, name, act) {
  const amount = make('input', {
    type: 'text',
    inputmode: 'decimal',
    'aria-label': `Amount to capture of ${name}`,
    value: charge.amount.toFixed(2),
  })
  const capture = make('button', { class: 'primary', type: 'submit' }, 'Capture')
  const cancel = make('button', { class: 'secondary', type: 'button' }, 'Cancel')
  capture.setAttribute('aria-label', `Capture ${name}`)
  cancel.setAttribute('aria-label', `Cancel ${name}`)
  const form = make('form', { class: 'act' }, amount, capture, cancel)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(form.closest('tr'), charge, 'capture', { amount: amount.value.trim() })
  })
  cancel.addEventListener('click', () => act(form.closest('tr'), charge, 'cancel', {}))
  return form
}
