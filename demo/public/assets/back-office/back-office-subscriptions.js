import { askShop } from '../ask-shop.js'
import { askToConfirm } from '../ask-to-confirm.js'
import { replaceRow, setBusy, showList, tell } from './row-list.js'
import { subscriptionRow } from './subscription-row.js'

/** Payments whose outcome is not known here yet, by subscription: asking again with the same key pays once. */
const keys = new Map()

const DONE = {
  pause: 'is paused',
  resume: 'is active again',
  cancel: 'has ended',
  price: 'keeps its price until the payer accepts the new one',
}

function ask(id, action, price) {
  const path = `/api/subscriptions/${id}`
  if (action === 'price') return askShop(`${path}/price`, { price })
  if (action !== 'collect') return askShop(`${path}/actions`, { action })
  if (!keys.has(id)) keys.set(id, window.crypto.randomUUID())
  return askShop(`${path}/payments`, { key: keys.get(id) })
}

const confirmed = (name, action) =>
  action !== 'cancel' ||
  askToConfirm({
    title: `End the subscription of ${name}?`,
    text: 'It cannot be resumed. A new one needs the payer’s answer again.',
    yes: 'End it',
    no: 'Keep it',
  })

/** Does what a button says, then shows the subscription as it is now, or why it was refused. */
async function act(row, { id, name }, action, price) {
  if (!(await confirmed(name, action))) return
  setBusy(row, true)
  tell('Asking the card service…', 'wait')
  const { ok, answer } = await ask(id, action, price)
  setBusy(row, false)
  if (!ok) return tell(answer.message, 'bad')
  if (action === 'collect') {
    keys.delete(id)
    return tell(`${answer.amount} asked for from ${name}.`, 'good')
  }
  replaceRow(row, subscriptionRow(answer, act))
  tell(`The subscription of ${name} ${DONE[action]}.`, 'good')
}

showList('/api/subscriptions', ({ subscriptions }) =>
  subscriptions.map((subscription) => subscriptionRow(subscription, act)),
)
