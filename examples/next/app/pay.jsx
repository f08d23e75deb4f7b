'use client'
import { CardWidget } from '@svc/widget/react'
import { useState } from 'react'

export function Pay() {
  const [token, setToken] = useState('')
  return (
    <>
      <CardWidget
        publicKey={process.env.NEXT_PUBLIC_SVC_PUBLIC_KEY}
        origin={process.env.NEXT_PUBLIC_SVC_ORIGIN}
        // Send it to your server, which charges it.
        onFinish={({ payment_source }) => setToken(payment_source)}
      />
      <output id="token">{token}</output>
    </>
  )
}
