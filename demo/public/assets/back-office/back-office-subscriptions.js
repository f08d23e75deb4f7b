import { askShop } from '../ask-shop.js'
import { askToConfirm } from '../ask-to-confirm.js'
import { subscriptionRow } from './subscription-row.js'

const rows = document.querySelector('#subscriptions')
const news = document.querySelector('#news')
const empty = document.querySelector('#empty')
const more = document.querySelector('#more')
/** Payments whose outcome is not known here yet, by subscription: asking again with the same key pays once. */
const keys = new Map()
let next = null

function tell(words, kind) {
  news.textContent = words
  news.dataset.kind = kind
}

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
  for (const button of row.querySelectorAll('button')) button.disabled = true
  tell('Asking the card service…', 'wait')
  const { ok, answer } = await ask(id, action, price)
  for (const button of row.querySelectorAll('button')) button.disabled = false
  if (!ok) return tell(answer.message, 'bad')
  if (action === 'collect') {
    keys.delete(id)
    return tell(`${answer.amount} asked for from ${name}.`, 'good')
  }
  const changed = subscriptionRow(answer, act)
  row.replaceWith(changed)
  // The pressed button was removed, so the focus moves to its row.
  changed.tabIndex = -1
  changed.focus()
  tell(`The subscription of ${name} ${DONE[action]}.`, 'good')
}

async function load(cursor) {
  const query = cursor ? `?cursor=${encodeURIComponent(cursor)}` : ''
  const { ok, answer } = await askShop(`/api/subscriptions${query}`)
  if (!ok) return tell(answer.message, 'bad')
  const made = answer.subscriptions.map((subscription) => subscriptionRow(subscription, act))
  if (cursor) rows.append(...made)
  else rows.replaceChildren(...made)
  next = answer.next
  more.hidden = next === null
  empty.hidden = rows.children.length > 0
}

document.querySelector('#refresh').addEventListener('click', async () => {
  tell('', 'wait')
  await load()
})
more.addEventListener('click', () => load(next))
load()
