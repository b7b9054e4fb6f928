/** The numbers of error reporting; see contract/limits.ts. */
export const errorLimits = {
  // promised to applications: the table of ERR-1
  errorMessage: 2_000,
  errorModule: 100,
  errorStack: 10_000,
  errorFile: 500,
  errorFunction: 200,
  errorEndpoint: 500,
  errorUserId: 255,
  errorsPageLimit: 200,
  topErrors: 10,

  // our choice
  errorRequestId: 255,
  errorOccurrences: 1_000,
  errorReportBytes: 262_144,
  errorContextBytes: 16_384,
  errorContextDepth: 8,
  /** Reports of a key in an hour, so many of them at once; the rest comes back evenly. */
  errorReportsPerHour: 6_000,
  errorReportsBurst: 1_000,
  /** Calls of a key that report, also those that are refused or discarded. On every plan. */
  errorReportCallsPerMinute: 1_000,
  errorReadsPerHour: 600,
  /** Reports that wait to be written in one process. */
  errorReportsWaiting: 20_000,
  /** Beyond so many new errors of an application in an hour, one of each module stands for the rest. */
  newErrorsPerHour: 300,
  overflowsPerHour: 50,
  /** Samples: the first ones of each hour, then one of ever more; so many are kept. */
  errorSamplesPerHour: 20,
  errorSamples: 50,
  errorSamplesPerFlush: 4,
  errorRegressionSamples: 10,
  errorUsers: 1_000,
  errorGraceMinutes: 10_080,
  errorSilenceCount: 1_000_000,
  errorHours: 720,
  errorHistory: 100,
  errorSampleDays: 30,
  errorHourDays: 90,
  errorDays: 400,
  /** Field names that an organization adds to those whose values are removed, and characters of one. */
  secretNames: 100,
  secretName: 100,
  ticketTitle: 255,
  ticketNote: 4_000,
} as const
