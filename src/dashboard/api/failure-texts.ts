/** What is said of a failed request: what happened, then what to do. */
export const failureTexts = {
  local: {
    offline: 'You are offline. Check your connection, then try again.',
    unreachable: 'The service can’t be reached. Check your connection, then try again.',
    timeout: 'The service took too long to answer. Try again.',
    unreadable_answer:
      'The service gave an answer that this page can’t read. Reload the page, then try again.',
    cancelled: 'Nothing was changed: the password was not given.',
  },
  service: {
    request_in_progress: 'The same request is still being worked on. Wait a moment, then try again.',
    precondition_failed: 'Somebody else has changed this meanwhile. Reload, look at it again, then repeat.',
    system_error: 'Something went wrong on our side. Try again; if it stays, tell your operator.',
    service_unavailable: 'The service is busy. Try again in a moment.',
    gateway_unavailable: 'The gateway can’t be reached. Try again in a moment.',
    network_unavailable: 'The payment network can’t be reached. Try again in a moment.',
    outcome_unknown: 'The gateway has not said what came of this. It is being asked; look again in a minute.',
  },
} as const
