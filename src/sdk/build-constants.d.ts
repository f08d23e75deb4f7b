/** Release of this build, such as `1.2.3`; vite.config.ts takes it from package.json. */
declare const __SVC_VERSION__: string

/** Origins of environments that are built in, such as `{ production_svc: 'https://…' }`. */
declare const __SVC_ORIGINS__: Record<string, string>
