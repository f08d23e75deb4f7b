import { askShop } from '../ask-shop.js'
import { askToConfirm } from '../ask-to-confirm.js'
import { chargeRow, dollars, STATUS_WORDS } from './charge-row.js'
import { replaceRow, setBusy, showList, tell } from './row-list.js'

/** Keys of refunds whose outcome is not known here yet, by charge and amount: asking again with the same key gives back once. */
const keys = new Map()

/** What the shop's server answers to a request that the card service has refused for good. */
const REFUSED = 422

async function refund({ id }, amount) {
  const asked = `${id} ${amount}`
  if (!keys.has(asked)) keys.set(asked, window.crypto.randomUUID())
  const outcome = await askShop(`/api/charges/${id}/refund`, { amount, key: keys.get(asked) })
  if (outcome.ok || outcome.status === REFUSED) keys.delete(asked)
  return outcome
}

const confirmed = (name, action, amount) =>
  action !== 'refund' ||
  askToConfirm({
    title: `Give back A$${amount} of order ${name}?`,
    text: 'The money goes to the card that paid. This cannot be undone.',
    yes: 'Give it back',
    no: 'Keep it',
  })

/** Captures, cancels or refunds, then shows the charge as it is now, or why it was refused. */
async function act(row, charge, action, amount) {
  const name = charge.reference ?? charge.id
  if (!(await confirmed(name, action, amount))) return
  setBusy(row, true)
  tell('Asking the card service…', 'wait')
  const { ok, answer } =
    action === 'refund'
      ? await refund(charge, amount)
      : await askShop(`/api/charges/${charge.id}/${action}`, { amount })
  if (ok) {
    replaceRow(row, chargeRow(answer, act))
    tell(done(answer, name), 'good')
    return
  }
  setBusy(row, false)
  tell(answer.message, 'bad')
}

const done = ({ status, refunded }, name) =>
  status === 'complete' && refunded > 0
    ? `${dollars.format(refunded)} of order ${name} given back.`
    : `Order ${name} is ${STATUS_WORDS[status]} now.`

const status = document.querySelector('#status')
const reload = showList(
  '/api/charges',
  ({ charges }) => charges.map((charge) => chargeRow(charge, act)),
  () => (status.value === '' ? {} : { status: status.value }),
)
status.addEventListener('change', reload)
