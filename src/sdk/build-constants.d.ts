/** Release of this build, `1.2.3`; set by vite.config.ts out of package.json. */
declare const __SVC_VERSION__: string

/** Origins of the environments that this build knows by name, such as `{ production_svc: 'https://…' }`. */
declare const __SVC_ORIGINS__: Record<string, string>
