/** Limits of chat and its agents; see contract/limits.ts. */
export const chatLimits = {
  // guaranteed to applications: MSG-13 and the table of limits in docs/spec/chat.md
  channelName: 120,
  channelDescription: 500,
  /** Messages that an application may publish per hour. */
  messagesPerHour: 600,

  // implementation limits
  messageContent: 10_000,
  messagesPage: 100,
  messagesPageDefault: 50,
  unreadCount: 100,
  messageMentions: 50,
  messageReaders: 50,
  messageSearchResults: 50,
  filesPerMessage: 10,
  chatFileNameBytes: 255,
  /** Uploaded files of a person that no message has taken yet, and how long they are stored. */
  waitingChatFiles: 50,
  waitingChatFileHours: 24,
  chatFileBytesPerOrganization: 107_374_182_400,
  draftsPerPerson: 200,
  /** Threads of a person that the list considers and sorts. */
  threadsPerPerson: 500,
  /** Mentions that one page scans at most, readable or not. */
  mentionsScanned: 1_000,
  /** The newest messages in which a search looks for common words first. */
  searchScannedMessages: 1_000,
  directPeople: 20,
  membersPerChannel: 10_000,
  channelsPerOrganization: 50_000,
  /** Each request sorts the list of a person's channels, so their number is bounded. */
  channelsPerPerson: 2_000,
  grantsPerChannel: 100,
  customerReference: 255,
  agentName: 120,
  agentDescription: 2_000,
  agentPurpose: 4_000,
  agentTasks: 20,
  agentSchedule: 120,
  agentTimeZone: 64,
  agentNote: 1_000,
  agentSummary: 4_000,
  agentsPerApplication: 100,
  agentProposalDays: 14,
  agentExecutionsPerHour: 600,
  /** How far ahead the clock of the reporting application may be. */
  agentClockMinutes: 5,
  agentCostMicros: 10_000_000_000,
  agentCapMicros: 1_000_000_000_000,
} as const
