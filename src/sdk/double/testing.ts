/** The entry `@svc/widget/testing`: what `window.svc` holds, with a widget that needs no network. */
import { TestCheckout } from './test-checkout.ts'
import { TestWidget } from './test-widget.ts'

export {
  ELEMENT,
  EVENT,
  FORM_FIELD,
  PAYMENT_TYPE,
  PURPOSE,
  STYLE,
  SUPPORTED_CARD_TYPES,
  TEXT,
  TRIGGER,
  VERSION,
} from '../constants.ts'
export { WidgetError } from '../widget-error.ts'
export { TEST_CARD, TEST_TOKEN } from './test-widget.ts'
export type { OwnEvent } from './own-event.ts'

/** Every widget that was made by `HtmlWidget` of this module, so that a test reaches the one of the page. */
export const testWidgets: TestWidget[] = []

class RememberedWidget extends TestWidget {
  constructor(...parameters: ConstructorParameters<typeof TestWidget>) {
    super(...parameters)
    testWidgets.push(this)
  }
}

export { RememberedWidget as HtmlWidget, TestCheckout as Checkout, TestCheckout, TestWidget }

/** A test widget for a container, with a key that needs none. */
export function createTestWidget(container: string | Element): TestWidget {
  return new TestWidget(container, 'pk_test')
}
