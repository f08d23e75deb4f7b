/** The dashboard as WebAuthn knows it: passkeys made for one host work at no other (WebAuthn §5.1.2). */
export interface RelyingParty {
  /** The host of the dashboard's URL. */
  id: string
  name: string
  origin: string
}

/** `environment` is told by the name outside production, as people may have an account in several. */
export function relyingPartyOf(dashboardUrl: string, environment: string): RelyingParty {
  const { hostname, origin } = new URL(dashboardUrl)
  const name =
    environment === 'production_svc' ? 'Card service' : `Card service (${environment.replace(/_svc$/, '')})`
  return { id: hostname, name, origin }
}
