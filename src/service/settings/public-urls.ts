interface Urls {
  SVC_ENVIRONMENT: string
  SVC_BASE_URL?: string | undefined
  SVC_WIDGET_URL?: string | undefined
}

/** Why cards can't be taken at these addresses in production: they would travel in plain, or never arrive. Null when they can. */
export function publicUrlFault(settings: Urls): string | null {
  if (settings.SVC_ENVIRONMENT !== 'production_svc') return null
  if (settings.SVC_BASE_URL === undefined)
    return 'SVC_BASE_URL must be set in production_svc: the https origin at which merchants reach the service'
  const { SVC_BASE_URL, SVC_WIDGET_URL = SVC_BASE_URL } = settings
  const wrong = Object.entries({ SVC_BASE_URL, SVC_WIDGET_URL }).find(([, url]) => !isPublic(url))
  return wrong === undefined
    ? null
    : `${wrong[0]} must be an https origin of a public host in production_svc, not ${wrong[1]}`
}

const OF_THIS_MACHINE = /^(?:localhost|.+\.localhost|127\..+|0\.0\.0\.0|\[::1?\])$/

function isPublic(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' && !OF_THIS_MACHINE.test(hostname)
}
