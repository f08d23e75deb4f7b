/** What the build makes of a page of Markdown (build/markdown-pages.ts). */
interface GuideModule {
  name: string
  title: string
  /** Its first sentence. */
  summary: string
  html: string
  parts: { id: string; title: string }[]
}

/** The text of a module that the build has bundled for browsers (build/browser-scripts.ts). */
declare module '*?script' {
  export const script: string
}

declare module '*.md' {
  export const page: GuideModule
}
