import { CardWidget } from '@svc/widget/react'
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'

const { VITE_SVC_ORIGIN, VITE_SVC_PUBLIC_KEY } = import.meta.env

function Pay() {
  const [token, setToken] = useState('')
  return (
    <main>
      <h1>Pay</h1>
      <CardWidget
        className="card"
        publicKey={VITE_SVC_PUBLIC_KEY}
        origin={VITE_SVC_ORIGIN}
        // Send it to your server, which charges it.
        onFinish={({ payment_source }) => setToken(payment_source)}
      />
      <output id="token">{token}</output>
    </main>
  )
}

const place = document.querySelector('#app')
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <Pay />
    </StrictMode>,
  )
