import { askShop } from './ask-shop.js'
import { followTheme } from './card-theme.js'

/** The shop's copy of the card service's loader. */
const LOADER = '/assets/load-sdk.js'

const place = document.querySelector('#checkout')
const message = document.querySelector('#message')
const again = document.querySelector('#again')
const { token, sdkUrl, sdkIntegrity } = place.dataset
const { nonce } = document.querySelector('script[nonce]')

function tell(words) {
  message.textContent = words
  message.hidden = words === ''
  again.hidden = words === ''
  if (words !== '') message.scrollIntoView({ block: 'nearest' })
}

/** The page may say what it likes: the shop's server asks the card service whether the charge is good. */
async function placeOrder({ intent_id }) {
  const { ok, answer } = await askShop('/api/checkouts/paid', { intent_id })
  if (ok && answer.placed) location.assign(`/orders/${answer.reference}`)
  else tell(answer.message)
}

/** A form that is there says itself what is wrong. */
function tellFailure() {
  const isThere = place.querySelector('iframe') !== null
  tell(isThere ? '' : 'The payment form could not be shown. Start again: this order is paid once at most.')
}

function showCheckout(svc) {
  const checkout = new svc.Checkout(place, token)
    .onPaymentSuccessful(placeOrder)
    .onPaymentFailure(tellFailure)
    .onPaymentExpired(() => tell('Your order has waited too long for its payment. Nothing was charged.'))
  checkout.setLanguage(document.documentElement.lang)
  followTheme(checkout)
}

try {
  const { loadSdk } = await import(LOADER)
  showCheckout(await loadSdk(sdkUrl, { integrity: sdkIntegrity, nonce }))
} catch {
  tell(
    'The card form did not arrive as it was made, or not at all, so we have not used it. Nothing was charged. Start again in a moment.',
  )
}
