/** Limits of error reporting; see contract/limits.ts. */
export const errorLimits = {
  // guaranteed to applications: the table of ERR-1
  errorMessage: 2_000,
  errorModule: 100,
  errorStack: 10_000,
  errorFile: 500,
  errorFunction: 200,
  errorEndpoint: 500,
  errorUserId: 255,
  errorsPageLimit: 200,
  topErrors: 10,

  // implementation limits
  errorRequestId: 255,
  errorOccurrences: 1_000,
  errorReportBytes: 262_144,
  errorContextBytes: 16_384,
  errorContextDepth: 8,
  /** Reports of an API key per hour, and how many of them at once; the remaining allowance is restored evenly. */
  errorReportsPerHour: 6_000,
  errorReportsBurst: 1_000,
  /** Report calls of an API key, including refused and discarded ones. The same on every plan. */
  errorReportCallsPerMinute: 1_000,
  errorReadsPerHour: 600,
  /** Reports that may wait in the memory of one process. */
  errorReportsWaiting: 20_000,
  /** Beyond this number of new errors of an application in an hour, one overflow error per module collects the rest. */
  newErrorsPerHour: 300,
  overflowsPerHour: 50,
  /** Samples are taken of the first occurrences of an hour, then at growing intervals; `errorSamples` are stored. */
  errorSamplesPerHour: 20,
  errorSamples: 50,
  errorSamplesPerFlush: 4,
  errorRegressionSamples: 10,
  errorUsers: 1_000,
  errorGraceMinutes: 10_080,
  errorSilenceCount: 1_000_000,
  errorHours: 720,
  errorHistory: 100,
  /** Hours of an error in a list. */
  errorItemHours: 24,
  errorsSearched: 10_000,
  errorsPerBulkChange: 100,
  errorsPerFilterChange: 500,
  errorSampleDays: 30,
  errorHourDays: 90,
  errorDays: 400,
  /** Secret field names that an organization may add, and the characters of each. */
  secretNames: 100,
  secretName: 100,
  ticketTitle: 255,
  ticketNote: 4_000,
} as const
