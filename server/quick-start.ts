import { commandLine } from './platform/version.ts'

/** One step of the quick start, with one shell command per line. */
export type QuickStartStep = { title: string; commands: string[] }

/**
 * The first five minutes of README.md, for a server at `url` whose demo people are in `demoFile`. A test runs
 * them and compares them with README.md.
 */
export function quickStart(url: string, demoFile: string): QuickStartStep[] {
  return [
    {
      title: 'Sign in as the first demo person and keep a session token',
      commands: [
        `PATIO=${url}`,
        `DEMO=${demoFile}`,
        `show() { node -p "JSON.parse(require('fs').readFileSync(0))$1"; }`,
        `EMAIL=$(show '.organizations[0].people[0].email' < $DEMO)`,
        `PASSWORD=$(show '.organizations[0].people[0].password' < $DEMO)`,
        `JSON='Content-Type: application/json'`,
        `SIGN_IN=$(curl -s $PATIO/api/auth/sign-in/email -H "$JSON" -d "{\\"email\\":\\"$EMAIL\\",\\"password\\":\\"$PASSWORD\\"}" | show .token)`,
        `AUTH="Authorization: Bearer $(curl -s $PATIO/api/auth/token -H "Authorization: Bearer $SIGN_IN" | show .token)"`,
        `curl -s $PATIO/api/auth/me -H "$AUTH" | show .person`,
      ],
    },
    {
      title: 'Create an asset and see it listed',
      commands: [
        `curl -s $PATIO/api/studio/assets -H "$AUTH" -H "$JSON" -d '{"type":"PROMPT","name":"Greeting","bodyMarkdown":"Say hello."}' | show`,
        `curl -s "$PATIO/api/studio/assets?orderBy=recent" -H "$AUTH" | show '.items.map(asset => asset.name)'`,
      ],
    },
    {
      title: 'Find what another company published in the marketplace and install a copy',
      commands: [
        `ENTRY=$(curl -s "$PATIO/api/studio/marketplace/entries?search=contract" -H "$AUTH" | show '.items[0].id')`,
        `curl -s $PATIO/api/studio/marketplace/entries/$ENTRY/install -H "$AUTH" -H "$JSON" -d '{"acknowledgeDisclaimer":true}' | show`,
      ],
    },
    {
      title: 'Watch the catalogue while something happens',
      commands: [
        `STREAM=$(curl -s -X POST $PATIO/api/auth/sse-token -H "$AUTH" | show .token)`,
        `curl -sN "$PATIO/api/studio/events?token=$STREAM" &`,
        `curl -s $PATIO/api/studio/assets -H "$AUTH" -H "$JSON" -d '{"type":"PROMPT","name":"Farewell"}' | show .slug`,
        `kill $!`,
      ],
    },
    {
      title: 'Send an application its own errors by webhook; the receiver verifies each signature',
      commands: [
        `${commandLine.demoReceiver} $PATIO $DEMO &`,
        `KEY=$(show '.organizations[0].applications[0].key' < $DEMO)`,
        `curl -s $PATIO/api/external/v1/errors/report -H "X-Api-Key: $KEY" -H "$JSON" -d '{"message":"Out of stock","module":"shop"}' | show`,
        `kill $!`,
      ],
    },
    {
      title: 'Ask something in a channel, and let the application answer in a thread',
      commands: [
        `CHANNEL=$(curl -s $PATIO/api/chat/channels -H "$AUTH" | show '.items.find(channel => channel.name === "Support").id')`,
        `QUESTION=$(curl -s $PATIO/api/chat/channels/$CHANNEL/messages -H "$AUTH" -H "$JSON" -d '{"content":"Where is order 4711?"}' | show .id)`,
        `curl -s $PATIO/api/external/v1/chat/channels/$CHANNEL/messages -H "X-Api-Key: $KEY" -H "$JSON" -d "{\\"content\\":\\"It left this morning.\\",\\"parentMessageId\\":\\"$QUESTION\\"}" | show .author`,
        `curl -s $PATIO/api/chat/messages/$QUESTION/thread -H "$AUTH" | show '.items.map(({ content }) => content)'`,
      ],
    },
    {
      title: 'List overdue invoices and create a public link to one',
      commands: [
        `INVOICE=$(curl -s "$PATIO/api/billing/invoices?overdue=true" -H "$AUTH" | show '.data[0].id')`,
        `curl -s -X POST $PATIO/api/billing/invoices/$INVOICE/public-link -H "$AUTH" | show .publicUrl`,
      ],
    },
    {
      title: 'Verify a signed budget from its stored evidence',
      commands: [
        `BUDGET=$(curl -s "$PATIO/api/crm/budgets?status=SIGNED" -H "$AUTH" | show '.items[0].id')`,
        `SIGNATURE=$(curl -s $PATIO/api/crm/budgets/$BUDGET/signatures -H "$AUTH" | show '.items[0].id')`,
        `curl -s $PATIO/api/crm/budgets/$BUDGET/signatures/$SIGNATURE/verify -H "$AUTH" | show`,
      ],
    },
  ]
}
