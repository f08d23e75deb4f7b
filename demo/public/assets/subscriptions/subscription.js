import { askShop } from '../ask-shop.js'
import { paymentLine, paymentWords } from './payment-words.js'
import { stageOf } from './subscription-stages.js'
import { createWatch } from '../watch.js'

const part = (id) => document.getElementById(id)
const put = (id, text) => (part(id).textContent = text)
const id = location.pathname.split('/').at(-1)
const payButton = part('pay')
/** The key stays the same until the service has accepted the payment, so that asking again after a lost answer pays once. */
let key = window.crypto.randomUUID()
let shown = ''
/** Whether the last request found nothing, and the page says so. */
let isLost = false
let known = new Map()

function tell(words) {
  // Not written again, because a screen reader would read it again.
  if (part('message').textContent === words) return
  put('message', words)
  part('message').hidden = words === ''
}

function showFacts(subscription) {
  const { pending, next_collection: next } = subscription
  put('description', subscription.description)
  put('often', subscription.often)
  put('payer', `${subscription.name}, ${subscription.account}`)
  put('amount', subscription.amount)
  put('next-collection', next ?? '')
  part('next-line').hidden = next === null
  put('change', pending === null ? '' : `${pending.amount}: answer in your bank by ${pending.answer_by}`)
  part('change-line').hidden = pending === null
  part('facts').hidden = false
}

/** Whether a payment can be asked for here: a collected one that has failed, or any on a plan without collection. */
function showNextSteps({ stage, is_collected: isCollected, pending, payments }) {
  const isPayable = stage === 'active' && (!isCollected || payments[0]?.status === 'failed')
  const wasFocused = document.activeElement === payButton
  payButton.hidden = !isPayable
  put('pay', isCollected ? 'Pay for this lamp now' : 'Pay for a lamp now')
  if (wasFocused && !isPayable) part('headline').focus()
  part('open-bank').href = `/bank/${id}`
  const isAsked = stage === 'waiting' || pending !== null
  part('open-bank').className = isAsked ? 'primary' : 'secondary'
  payButton.className = isAsked ? 'secondary' : 'primary'
  part('open-bank').hidden = !['waiting', 'active', 'suspended'].includes(stage)
  part('next-steps').hidden = part('open-bank').hidden && !isPayable
}

/** Shows the list of payments, and says what has changed in it since the last time. */
function showPayments({ stage, payments }) {
  part('payments').replaceChildren(...payments.map(paymentLine))
  part('no-payments').hidden = payments.length > 0
  part('payments-part').hidden = payments.length === 0 && !['active', 'suspended'].includes(stage)
  const changed = payments.find((one) => known.has(one.id) && known.get(one.id) !== one.status)
  if (changed) put('news', `${changed.description}: ${paymentWords(changed)}.`)
  known = new Map(payments.map((one) => [one.id, one.status]))
}

function show({ ok, answer }) {
  part('look-part').hidden = true
  if (isLost && ok) tell('')
  isLost = !ok
  if (!ok) {
    tell(answer.message)
    if (shown === '') put('explanation', '')
    return true
  }
  const { mark, headline, explanation, isOver = false } = stageOf(answer)
  const text = JSON.stringify(answer)
  // If nothing has changed the page is left as it is, so that nothing is read out again and the focus stays.
  if (text === shown) return !isOver
  shown = text
  document.querySelector('.mark').className = `mark ${mark}`
  put('headline', headline)
  put('explanation', explanation)
  showFacts(answer)
  showNextSteps(answer)
  showPayments(answer)
  return !isOver
}

const watch = createWatch({
  look: () => askShop(`/api/subscriptions/${id}`),
  show,
  atEnd: () => {
    part('look-part').hidden = false
  },
})

async function pay() {
  if (payButton.ariaDisabled === 'true') return
  payButton.ariaDisabled = 'true'
  tell('')
  put('news', 'Asking your bank…')
  const { ok, answer } = await askShop(`/api/subscriptions/${id}/payments`, { key })
  put('news', ok ? `${answer.amount} asked for.` : '')
  if (ok) key = window.crypto.randomUUID()
  else tell(answer.message)
  payButton.ariaDisabled = null
  watch.start()
}

payButton.addEventListener('click', pay)
part('look').addEventListener('click', () => {
  part('headline').focus()
  watch.start()
})
watch.start()
