/** What the build makes of a page of Markdown (build/markdown-pages.ts). */
interface GuideModule {
  name: string
  title: string
  /** Its first sentence. */
  summary: string
  html: string
  parts: { id: string; title: string }[]
}

declare module '*.md' {
  export const page: GuideModule
}
