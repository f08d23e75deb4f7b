import { Component, CUSTOM_ELEMENTS_SCHEMA, signal } from '@angular/core'
import '@svc/widget/element'

/** In `angular.json`, under `define`. */
declare const SVC_ORIGIN: string
declare const SVC_PUBLIC_KEY: string

@Component({
  selector: 'app-pay',
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <main>
      <h1>Pay</h1>
      <!-- Send the token to your server, which charges it. -->
      <svc-card-widget
        [attr.public-key]="publicKey"
        [attr.origin]="origin"
        (finish)="token.set($event.detail.payment_source)"
      />
      <output id="token">{{ token() }}</output>
    </main>
  `,
})
export class Pay {
  readonly publicKey = SVC_PUBLIC_KEY
  readonly origin = SVC_ORIGIN
  readonly token = signal('')
}
