/** Release of this build, such as `1.2.3`; vite.config.ts takes it from package.json. */
declare const __SVC_VERSION__: string

/** The oldest Node on which the service runs, such as `22.19`; vite.config.ts takes it from package.json. */
declare const __SVC_LEAST_NODE__: string

/** Origins of environments that are built in, such as `{ production_svc: 'https://…' }`. */
declare const __SVC_ORIGINS__: Record<string, string>
