import { short } from './statistics.ts'

/** The claims, as ratios to a limit or a peer that was measured in the same run. */
export type Claim = {
  /** The figure of the claim. */
  figure: string
  row: string
  says: string
  beside: string
  /** Bounds of the median. Without one, the figure is reported and claims nothing. */
  atLeast?: number
  atMost?: number
}

/** Bounds that are absolute values; their figures are shares of them. */
export const bounds = {
  commitToStreamMs: 50,
  eventsPerSecond: 100,
  idleMiB: 160,
  startSeconds: 4,
  fileMiB: 64,
  importMs: 30,
  installMs: 60,
  admissionUs: 20,
  errorReportMs: 50,
  errorStatisticsMs: 20,
  webhookMs: 100,
  webhookLateMs: 250,
  webhooksPerSecond: 500,
  byEmailMs: 1,
  verify2Ms: 20,
  verify3Ms: 30,
  chargeMs: 50,
  invoicePdfMs: 150,
  referencePageMs: 1_000,
  referenceOperationMs: 200,
  dashboardInteractionMs: 200,
  dashboardKeyMs: 50,
  dashboardFrameMs: 17,
  dashboardLongestFrameMs: 50,
  dashboardElements: 4_000,
  dashboardHeapMB: 25,
  dashboardBuildSeconds: 15,
  dashboardStartSeconds: 3,
} as const

/** The files that a browser loads until the first list of the dashboard works, in units of 1,000 bytes. */
export const dashboardBytes = {
  'scripts-gzip': { says: 'Scripts until the first list of the dashboard works, gzip', most: 190 },
  'scripts-brotli': { says: 'The same, Brotli', most: 165 },
  styles: { says: 'Its styles, gzip', most: 12 },
  fonts: { says: 'Its fonts', most: 53 },
  chunk: { says: 'The largest script of a single screen, gzip', most: 25 },
} as const

/** How a screen of the dashboard is opened, and by when it is painted and shows its rows, in seconds. */
export const dashboardViews = {
  cold: { says: 'opened for the first time', paintedSeconds: 0.6, rowsSeconds: 0.8 },
  warm: { says: 'opened for the third time', paintedSeconds: 0.3, rowsSeconds: 0.4 },
  slow: {
    says: 'for the first time with a processor 4 times as slow',
    paintedSeconds: 1.2,
    rowsSeconds: 1.4,
  },
  far: {
    says: 'for the first time with a processor 4 times as slow at 10 Mbit/s and 40 ms',
    paintedSeconds: 1.5,
    rowsSeconds: 1.8,
  },
} as const
export const dashboardScreens = {
  members: 'the list of 200 members',
  home: 'Home',
  leads: 'the list of leads',
  invoice: 'an invoice',
  channel: 'a channel',
  asset: 'an asset',
} as const

const bare = 'bare program, same statements'
const leadPage = 'a page of 20 leads'
const catalogueSizes = { ordinary: '1,500', large: '200,000' }
const searched = { rare: 'a rare word', common: 'a common word', typo: 'a misspelt word' }
const inMarket = {
  'market-recent': 'Time of a page of 20',
  'market-popular': 'Time of a page of 20, the most popular first,',
  'market-category': 'Time of a page of 20 of one category',
  'market-type': 'Time of a page of 20 of one type, the best rated first,',
  'market-search-rare': 'Time of a search for a rare word',
  'market-search-common': 'Time of a search for a common word',
}
const inChat = {
  'chat-history': 'Time of a page of 100',
  'chat-history-middle': 'Time of a page of 100 from the middle of the history',
  'chat-search-rare': 'Time of a search for a rare word',
  'chat-search-common': 'Time of a search for a common word',
  'chat-unread': 'Time of the list of channels with what is unread',
}

const ofLeads = {
  'lead-read': { what: 'Reading a lead', atLeast: 0.55 },
  'lead-list': { what: 'A page of 20 leads', atLeast: 0.55 },
  'lead-search': { what: 'A page of 20 leads that are searched for', atLeast: 0.55 },
  'lead-create': { what: 'Creating a lead', atLeast: 0.5 },
}

const ofDashboard: readonly Claim[] = [
  ...Object.entries(dashboardBytes).map(([figure, { says, most }]) => ({
    row: 'dashboard',
    figure: `dashboard-${figure}`,
    says,
    beside: `${most} KB`,
    atMost: 1,
  })),
  ...Object.entries(dashboardScreens).flatMap(([screen, name]) =>
    Object.entries(dashboardViews).flatMap(([view, { says, paintedSeconds, rowsSeconds }]) => [
      {
        row: 'dashboard',
        figure: `dashboard-${screen}-${view}-painted`,
        says: `Largest paint of ${name}, ${says}`,
        beside: `${paintedSeconds} s`,
        atMost: 1,
      },
      {
        row: 'dashboard',
        figure: `dashboard-${screen}-${view}-rows`,
        says: `Until ${name}, ${says}, shows its rows`,
        beside: `${rowsSeconds} s`,
        atMost: 1,
      },
    ]),
  ),
  ...Object.entries(dashboardViews).map(([view, { says }]) => ({
    row: 'dashboard',
    figure: `dashboard-beside-plain-${view}`,
    says: `Until the list of leads, ${says}, shows its rows`,
    beside: 'a page with React, one request and 50 rows, nothing else',
  })),
  {
    row: 'dashboard',
    figure: 'dashboard-interactions',
    says: 'From a key or click to the next paint with a processor 4 times as slow, p95',
    beside: `${bounds.dashboardInteractionMs} ms`,
    atMost: 1,
  },
  {
    row: 'dashboard',
    figure: 'dashboard-keys',
    says: 'From a key in the editor of a text of 500,000 characters to the next paint, 4 times as slow, p95',
    beside: `${bounds.dashboardKeyMs} ms`,
    atMost: 1,
  },
  {
    row: 'dashboard',
    figure: 'dashboard-frames',
    says: 'Time of a frame while 10,000 rows scroll by 180 pixels per frame, p95',
    beside: `${bounds.dashboardFrameMs} ms`,
    atMost: 1,
  },
  {
    row: 'dashboard',
    figure: 'dashboard-longest-frame',
    says: 'The longest of these frames',
    beside: `${bounds.dashboardLongestFrameMs} ms`,
    atMost: 1,
  },
  {
    row: 'dashboard',
    figure: 'dashboard-elements',
    says: 'Elements of the page after that',
    beside: short(bounds.dashboardElements),
    atMost: 1,
  },
  {
    row: 'dashboard',
    figure: 'dashboard-heap',
    says: 'Memory that stays in use after that',
    beside: `${bounds.dashboardHeapMB} MB`,
    atMost: 1,
  },
  {
    row: 'dashboard-build',
    figure: 'dashboard-build',
    says: 'Build of the dashboard',
    beside: `${bounds.dashboardBuildSeconds} s`,
    atMost: 1,
  },
  {
    row: 'dashboard-build',
    figure: 'dashboard-start',
    says: 'By how much the first start is later when it builds the dashboard',
    beside: `${bounds.dashboardStartSeconds} s`,
    atMost: 1,
  },
]

/** On Citus with all nodes on one machine, beside a database without Citus on the same server. They claim nothing. */
const inCluster = {
  'cluster-read': 'Reading an asset on Citus: requests/s',
  'cluster-create': 'Creating an asset on Citus: requests/s',
  'cluster-relay': 'Numbering a backlog of 200 organizations on Citus: outbox rows/s',
  'cluster-idle': 'Idle API and worker on Citus: transactions on all nodes/s',
} as const

export const claims: readonly Claim[] = [
  { row: 'read', figure: 'read', says: 'Reading an asset: requests/s', beside: bare, atLeast: 0.55 },
  { row: 'create', figure: 'create', says: 'Creating an asset: requests/s', beside: bare, atLeast: 0.5 },
  { row: 'use', figure: 'use', says: 'Recording a use, many assets: requests/s', beside: bare, atLeast: 0.5 },
  {
    row: 'use',
    figure: 'use-hot',
    says: 'Recording a use, one asset: requests/s',
    beside: bare,
    atLeast: 0.5,
  },
  { row: 'thumbs', figure: 'thumbs', says: 'Reacting to an asset: requests/s', beside: bare },
  ...(['ordinary', 'large'] as const).flatMap(size => [
    {
      row: 'catalogue',
      figure: `list-${size}`,
      says: `Time of a page of 20 at ${catalogueSizes[size]} assets`,
      beside: leadPage,
      atMost: 1.3,
    },
    ...(['rare', 'common', 'typo'] as const).map(word => ({
      row: 'catalogue',
      figure: `search-${word}-${size}`,
      says: `Time of a search at ${catalogueSizes[size]} assets: ${searched[word]}`,
      beside: leadPage,
      atMost: 3,
    })),
  ]),
  {
    row: 'shares',
    figure: 'shares',
    says: 'Time of a page of 20 for somebody with 10,000 shares and 50 departments',
    beside: 'a colleague with no share and one department',
    atMost: 2,
  },
  {
    row: 'shares',
    figure: 'shares-crowded',
    says: 'The same when two groups have each of the 10,000',
    beside: 'a colleague with no share and one department',
  },
  ...(['rare', 'common', 'typo'] as const).map(word => ({
    row: 'search-access',
    figure: `search-access-${word}`,
    says: `Time of a search by somebody with 10,000 shares and 50 departments, p95: ${searched[word]}`,
    beside: 'the same by an owner, whom no rule of access concerns',
    atMost: 2,
  })),
  {
    row: 'versions',
    figure: 'versions',
    says: 'Time of a page of 20 of a history of 1,000 versions',
    beside: 'a history of 20',
    atMost: 2,
  },
  {
    row: 'versions',
    figure: 'versions-latest',
    says: 'Time to read the latest of 1,000 versions',
    beside: 'of 20',
    atMost: 2,
  },
  ...Object.entries(inMarket).map(([figure, what]) => ({
    row: 'market',
    figure,
    says: `${what} of the marketplace with 100,000 entries`,
    beside: 'the same request at 1,000 entries',
    atMost: 2,
  })),
  {
    row: 'install',
    figure: 'install',
    says: 'Time to install an entry with 20 attachments, p95',
    beside: `${bounds.installMs} ms`,
    atMost: 1,
  },
  {
    row: 'install',
    figure: 'install-together',
    says: 'The same, by 8 people at once',
    beside: `${bounds.installMs} ms`,
  },
  {
    row: 'install',
    figure: 'install-bytes',
    says: 'Time to install 20 attachments of 1 MiB',
    beside: '20 attachments of 1 KiB',
    atMost: 1.25,
  },
  {
    row: 'fan-out',
    figure: 'fan-out',
    says: 'One event to 2,000 open streams: deliveries/s',
    beside: 'nginx with nchan',
    atLeast: 0.9,
  },
  {
    row: 'commit-to-stream',
    figure: 'commit-to-stream',
    says: `From the request to its event on a stream, p99 at ${bounds.eventsPerSecond} events/s`,
    beside: `${bounds.commitToStreamMs} ms`,
    atMost: 1,
  },
  {
    row: 'webhooks',
    figure: 'webhooks',
    says: 'Notices to 100 endpoints, from the event to the recorded answer: notices/s',
    beside: 'a loop that signs and posts and remembers nothing',
    atLeast: 0.3,
  },
  {
    row: 'webhooks',
    figure: 'webhooks-bullmq',
    says: 'The same notices, of which nothing is lost with the machine: notices/s',
    beside: 'a BullMQ worker on Redis',
    atLeast: 1,
  },
  {
    row: 'webhooks',
    figure: 'webhooks-soon',
    says: `From the commit to the first attempt, p99 at ${bounds.webhooksPerSecond} notices/s`,
    beside: `${bounds.webhookMs} ms`,
    atMost: 1,
  },
  {
    row: 'webhooks-isolated',
    figure: 'webhooks-isolated',
    says: 'The same to 99 endpoints while another one hangs with 20,000 notices waiting',
    beside: 'the same without it, in turns',
    atMost: 1.2,
  },
  {
    row: 'webhooks-late',
    figure: 'webhooks-late',
    says: `From the time of a retry to its arrival, p99 at ${bounds.webhooksPerSecond} notices/s that are refused twice`,
    beside: `${bounds.webhookLateMs} ms`,
    atMost: 1,
  },
  {
    row: 'webhooks-held',
    figure: 'webhooks-held',
    says: `From the commit to the first attempt, p99 at ${bounds.webhooksPerSecond} notices/s after a minute in which a transaction was held open`,
    beside: `${bounds.webhookMs} ms`,
    atMost: 1,
  },
  {
    row: 'webhooks-held',
    figure: 'webhooks-held-drain',
    says: 'Notices/s of a backlog at the end of that minute',
    beside: 'the same before it',
  },
  {
    row: 'relay-leases',
    figure: 'relay-leases',
    says: 'Numbering a backlog of 200 organizations, by two workers with a relay lease each: outbox rows/s',
    beside: 'one worker with the only lease',
  },
  ...[10, 40].flatMap(count => [
    {
      row: 'signals',
      figure: `signals-notify-${count}`,
      says: `NOTIFY of 16 connections, to ${count} that listen: statements/s`,
      beside: 'the same statement without it',
    },
    {
      row: 'signals',
      figure: `signals-commit-${count}`,
      says: `Commits of a row with NOTIFY in them, by 16 connections, to ${count} that listen: commits/s`,
      beside: 'the same commits without it',
    },
    {
      row: 'signals',
      figure: `signals-nats-${count}`,
      says: `Signals by NATS of 16 connections, to ${count} that listen: signals/s`,
      beside: 'NOTIFY',
    },
  ]),
  ...Object.entries(inCluster).map(([figure, says]) => ({
    row: 'cluster',
    figure,
    says,
    beside: 'plain PostgreSQL on the coordinator',
  })),
  {
    row: 'files',
    figure: 'upload',
    says: 'Uploading a file of 100 MiB: bytes/s',
    beside: 'a plain Fastify multipart server',
    atLeast: 0.8,
  },
  {
    row: 'files',
    figure: 'download',
    says: 'Downloading a file of 100 MiB: bytes/s',
    beside: 'a plain Fastify server',
    atLeast: 0.8,
  },
  {
    row: 'files',
    figure: 'files-memory',
    says: 'Memory that such files take on top',
    beside: `${bounds.fileMiB} MiB`,
    atMost: 1,
  },
  {
    row: 'packages',
    figure: 'import',
    says: 'Time to import a skill of 10 files and 100 KiB',
    beside: `${bounds.importMs} ms`,
    atMost: 1,
  },
  {
    row: 'packages',
    figure: 'export',
    says: 'Time to export such a skill',
    beside: 'zipping its files with the same library',
  },
  {
    row: 'application-key',
    figure: 'application-key',
    says: 'Letting in an application that is known: processor time on top of the request',
    beside: `${bounds.admissionUs} µs`,
    atMost: 1,
  },
  {
    row: 'errors',
    figure: 'errors-one',
    says: 'Reporting one error again and again, each stored: reports/s',
    beside: 'a plain Fastify route that keeps nothing',
    atLeast: 0.5,
  },
  {
    row: 'errors',
    figure: 'errors-many',
    says: 'Reporting 5,000 errors in turn, each stored: reports/s',
    beside: 'a plain Fastify route that keeps nothing',
    atLeast: 0.35,
  },
  {
    row: 'errors',
    figure: 'errors-half',
    says: 'Time of a report at half of that load, p99',
    beside: `${bounds.errorReportMs} ms`,
    atMost: 1,
  },
  {
    row: 'errors',
    figure: 'errors-statistics',
    says: 'Time of the statistics of 10,000 errors',
    beside: `${bounds.errorStatisticsMs} ms`,
    atMost: 1,
  },
  {
    row: 'chat-publish',
    figure: 'chat-publish',
    says: 'Posting a message in a channel with 20 applications: requests/s',
    beside: bare,
    atLeast: 0.5,
  },
  {
    row: 'chat-notices',
    figure: 'chat-notices',
    says: 'Posting a message until the notices to 20 applications stand: messages/s',
    beside: 'bare program, same rows',
    atLeast: 0.5,
  },
  {
    row: 'chat-read',
    figure: 'chat-read',
    says: 'Reading a message as an application, through the filter of what it sees: requests/s',
    beside: bare,
    atLeast: 0.55,
  },
  ...Object.entries(inChat).map(([figure, what]) => ({
    row: 'chat-history',
    figure,
    says: `${what} at 1,000,000 messages, of which 9 in 10 are private to somebody else`,
    beside: 'the same request at 2,000 messages',
    atMost: 2,
  })),
  ...Object.entries(ofLeads).map(([figure, { what, atLeast }]) => ({
    row: figure,
    figure,
    says: `${what} among 200,000: requests/s`,
    beside: bare,
    atLeast,
  })),
  {
    row: 'lead-sync',
    figure: 'lead-sync',
    says: 'A page of 1,000 changes of leads: requests/s',
    beside: bare,
    atLeast: 0.8,
  },
  {
    row: 'lead-sync-flat',
    figure: 'lead-sync-flat',
    says: 'Time of a page of 1,000 changes at 1,000,000 leads',
    beside: 'the same request at 10,000 leads',
    atMost: 2,
  },
  {
    row: 'lead-by-email',
    figure: 'lead-by-email',
    says: 'How far the median time of a search by e-mail that finds nobody, whatever the reason, is from one that does',
    beside: `${bounds.byEmailMs} ms`,
    atMost: 1,
  },
  {
    row: 'signature-verify-2',
    figure: 'signature-verify-2',
    says: 'Verifying a signature of the data of a budget, p95',
    beside: `${bounds.verify2Ms} ms`,
    atMost: 1,
  },
  {
    row: 'signature-verify-3',
    figure: 'signature-verify-3',
    says: 'Verifying a signature of a PDF of 1 MiB, p95',
    beside: `${bounds.verify3Ms} ms`,
    atMost: 1,
  },
  {
    row: 'mark-paid',
    figure: 'mark-paid',
    says: 'Registering a payment: requests/s',
    beside: bare,
    atLeast: 0.5,
  },
  {
    row: 'invoice-pdf',
    figure: 'invoice-pdf',
    says: 'Time of an invoice of 30 lines as PDF, p95',
    beside: `${bounds.invoicePdfMs} ms`,
    atMost: 1,
  },
  {
    row: 'charge',
    figure: 'charge',
    says: 'A charge without the time of its gateway, p95',
    beside: `${bounds.chargeMs} ms`,
    atMost: 1,
  },
  {
    row: 'other-tenant',
    figure: 'other-tenant',
    says: 'Time of a page of 20 beside 4 connections of a MEMBER elsewhere who sends what costs most, p95',
    beside: 'the same page when nobody else asks',
    atMost: 5,
  },
  {
    row: 'reference-page',
    figure: 'reference-page',
    says: 'First view of the API reference: main thread of the browser',
    beside: `${bounds.referencePageMs} ms`,
    atMost: 1,
  },
  {
    row: 'reference-page',
    figure: 'reference-operation-first',
    says: 'From the click on an operation that is the first of its area until it is shown: main thread of the browser',
    beside: `${bounds.referenceOperationMs} ms`,
    atMost: 1,
  },
  {
    row: 'reference-page',
    figure: 'reference-operation',
    says: 'The same for the second to the fourth operation of an area',
    beside: `${bounds.referenceOperationMs} ms`,
    atMost: 1,
  },
  {
    row: 'reference-page',
    figure: 'reference-operation-tenth',
    says: 'The same for the tenth operation, the third of the third area',
    beside: `${bounds.referenceOperationMs} ms`,
    atMost: 1,
  },
  ...ofDashboard,
  {
    row: 'backup',
    figure: 'backup-writes',
    says: 'Time of a write while a backup is made, p95',
    beside: 'the same without a backup',
    atMost: 1.5,
  },
  {
    row: 'backup',
    figure: 'restore',
    says: 'Restoring a backup of 5 GiB of files and the database: bytes/s',
    beside: 'copying the same bytes and computing their checksums',
    atLeast: 0.5,
  },
  {
    row: 'backup',
    figure: 'restore-verify',
    says: 'Verifying such a backup: bytes/s',
    beside: 'copying the same bytes and computing their checksums',
  },
  {
    row: 'memory',
    figure: 'memory-idle',
    says: 'Memory of an idle API process',
    beside: `${bounds.idleMiB} MiB`,
    atMost: 1,
  },
  {
    row: 'memory',
    figure: 'memory-loaded',
    says: 'Memory of an API process under load',
    beside: 'itself idle',
  },
  {
    row: 'start',
    figure: 'start',
    says: 'Start on existing data until ready',
    beside: `${bounds.startSeconds} s`,
    atMost: 1,
  },
  {
    row: 'start',
    figure: 'start-bare',
    says: 'Start on existing data until ready',
    beside: 'PostgreSQL and the bare program',
  },
  {
    row: 'start',
    figure: 'start-first',
    says: 'The first start, with everything to make',
    beside: `${bounds.startSeconds} s`,
  },
]

export function isClaimMet({ atLeast, atMost }: Claim, median: number): boolean | undefined {
  if (atLeast === undefined && atMost === undefined) return undefined
  return median >= (atLeast ?? Number.NEGATIVE_INFINITY) && median <= (atMost ?? Number.POSITIVE_INFINITY)
}
