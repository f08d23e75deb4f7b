import { cell, make } from '../make.js'
import { STAGE_NAMES } from '../subscriptions/subscription-stages.js'

const BUTTONS = {
  active: ['collect', 'pause', 'cancel'],
  suspended: ['collect', 'resume', 'cancel'],
  waiting: ['cancel'],
}
const PAUSED_BY = { debtor: 'Paused by the payer.', both: 'Paused by the payer, too.' }
const NAMES = { collect: 'Collect now', pause: 'Pause', resume: 'Resume', cancel: 'Cancel' }

/**
 * One subscription as a row of the back office's table. `act(row, subscription, action, price)` is called for each button; the
 * price, as typed, is that of the action `price`.
 */
export function subscriptionRow(subscription, act) {
  const { id, name, account, amount, often, pending, stage } = subscription
  const [stageName, tone] = STAGE_NAMES[stage] ?? [stage, '']
  const change = pending && make('small', {}, `${pending.amount} asked for`)
  return make(
    'tr',
    { 'data-subscription': id },
    cell(
      'Subscriber',
      '',
      make('span', {}, make('a', { href: `/subscriptions/${id}` }, name), make('small', {}, account)),
    ),
    cell('Lamp', '', make('span', {}, amount, make('small', {}, often))),
    cell(
      'Status',
      '',
      make('span', {}, make('span', { class: 'badge', 'data-status': tone }, stageName), change ?? ''),
    ),
    cell('', 'act-cell', choices(subscription, act)),
  )
}

function choices(subscription, act) {
  const { name, stage, suspended_by: by } = subscription
  const actions = (BUTTONS[stage] ?? []).filter((action) => action !== 'resume' || by !== 'debtor')
  const buttons = actions.map((action) => {
    const button = make('button', { class: 'secondary', type: 'button' }, NAMES[action])
    button.setAttribute('aria-label', `${NAMES[action]}: ${name}`)
    button.addEventListener('click', () => act(button.closest('tr'), subscription, action))
    return button
  })
  const parts = [
    actions.length > 0 && make('div', { class: 'act' }, ...buttons),
    stage === 'active' && priceForm(subscription, act),
    stage === 'suspended' && by !== 'creditor' && make('small', {}, PAUSED_BY[by] ?? ''),
  ]
  return make('div', { class: 'choices' }, ...parts.filter((part) => part !== false))
}

function priceForm(subscription, act) {
  const { name } = subscription
  const input = make('input', { type: 'text', inputmode: 'decimal', 'aria-label': `New price for ${name}` })
  input.placeholder = '27.50'
  const ask = make('button', { class: 'secondary', type: 'submit' }, 'Ask for this price')
  ask.setAttribute('aria-label', `Ask for this price: ${name}`)
  const form = make('form', { class: 'act' }, input, ask)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    act(form.closest('tr'), subscription, 'price', input.value.trim())
  })
  return form
}
