import '../appearance/theme.css'
import '../appearance/frame.css'
import '../appearance/layout.css'
import '../appearance/named-themes.css'
import '../appearance/more-contrast.css'
import '../appearance/mark.css'
import './checkout.css'
import { CheckoutSetup } from '../../contract/page/checkout-setup.ts'
import { browserOf } from '../browser.ts'
import { setupIn } from '../setup-element.ts'
import { startCheckout } from './start-checkout.tsx'

const setup = setupIn(document, CheckoutSetup)
if (setup !== null) startCheckout({ ...browserOf(window), setup })
