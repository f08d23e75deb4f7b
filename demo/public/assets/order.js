import { askShop } from './ask-shop.js'

/** What each state of the payment means to the shopper. */
const STATES = {
  pending: {
    mark: 'good',
    payment: 'held on your card',
    headline: 'Thank you, it is yours',
    explanation: 'The amount is held on your card. We take it when your order is ready to be collected.',
  },
  complete: {
    mark: 'good',
    payment: 'paid',
    headline: 'Your order is ready',
    explanation: 'We have taken the amount from your card. Come and collect it.',
  },
  refunded: {
    mark: 'good',
    payment: 'given back',
    headline: 'Your money is on its way back',
    explanation: 'We have given the amount back to your card. Your bank shows it in a few days.',
  },
  cancelled: {
    mark: 'bad',
    payment: 'cancelled',
    headline: 'This order was cancelled',
    explanation: 'The hold on your card is released. Nothing was charged.',
  },
  failed: {
    mark: 'bad',
    payment: 'not paid',
    headline: 'The payment did not go through',
    explanation: 'Nothing was charged. You can order again with another card.',
  },
  not_authenticated: {
    mark: 'bad',
    payment: 'not confirmed',
    headline: 'Your bank has not confirmed this payment',
    explanation: 'Nothing was charged. You can order again.',
  },
  checking: {
    mark: 'wait',
    payment: 'being checked',
    headline: 'We are checking your payment',
    explanation:
      'Your bank has not answered yet. Please do not pay again: this page will tell you as soon as we know.',
  },
}
const SECONDS_BETWEEN_LOOKS = 3

const part = (id) => document.getElementById(id)
const put = (id, text) => (part(id).textContent = text)
const reference = location.pathname.split('/').at(-1)

function show(order) {
  const { mark, payment, headline, explanation } = STATES[order.status] ?? STATES.checking
  document.querySelector('.mark').className = `mark ${mark}`
  put('headline', headline)
  put('explanation', explanation)
  put('reference', order.reference)
  put('item', `${order.quantity} × ${order.item}`)
  put('card-used', order.card ?? 'being checked')
  put('status', payment)
  part('status').dataset.status = order.status
  put('order-total', order.total)
  part('facts').hidden = false
}

async function look() {
  const { ok, answer } = await askShop(`/api/orders/${reference}`)
  part('order').ariaBusy = 'false'
  if (ok) show(answer)
  else put('explanation', answer.message)
  if (ok && answer.status === 'checking') setTimeout(look, SECONDS_BETWEEN_LOOKS * 1000)
}

look()
