/** A version of the checkout's workflow that intents can be made for (contract §5). */
export interface WorkflowVersion {
  version: number
  /** A retired one is still served as on its first day; no new integration should ask for it. */
  is_retired: boolean
}

/** Every workflow version there has been, oldest first. The SDK that is built from here serves them all. */
export const WORKFLOW_VERSIONS: readonly WorkflowVersion[] = [
  { version: 1, is_retired: false },
  { version: 2, is_retired: false },
]
