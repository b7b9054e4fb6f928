/**
 * The README's five minutes, written against the client that @hey-api/openapi-ts generates from the document. It is
 * compiled with that client, and run: `node five-minutes.js <url> <e-mail> <password> <api key>`.
 */
import { createClient, createConfig } from './client/client/index'
import * as api from './client/index'

const [, , baseUrl = '', email = '', password = '', key = ''] = process.argv

/** The credential for each security scheme of the document, by its name. */
const credentials: Record<string, string> = { applicationKey: key }
const client = createClient(
  createConfig({ baseUrl, throwOnError: true, auth: ({ key: scheme }) => credentials[scheme ?? ''] }),
)

async function run(): Promise<void> {
  const signedIn = await api.signIn({ client, throwOnError: true, body: { email, password } })
  credentials.signIn = signedIn.data.token!
  const session = await api.getSessionToken({ client, throwOnError: true })
  credentials.session = session.data.token
  const me = await api.readCaller({ client, throwOnError: true })
  assert(me.data.person.email === email, 'the caller is the person who signed in')

  await api.createAsset({
    client,
    throwOnError: true,
    body: { type: 'PROMPT', name: 'Greeting', bodyMarkdown: 'Say hello.' },
  })
  const assets = await api.listAssets({ client, throwOnError: true, query: { orderBy: 'recent' } })
  assert(
    assets.data.items.some(({ name }) => name === 'Greeting'),
    'the asset is listed',
  )

  const entries = await api.listEntries({ client, throwOnError: true, query: { search: 'contract' } })
  const install = await api.installEntry({
    client,
    throwOnError: true,
    path: { id: entries.data.items[0]!.id },
    body: { acknowledgeDisclaimer: true },
  })
  assert(install.response.status === 201, 'the entry is installed')

  const stream = await api.createStreamToken({ client, throwOnError: true })
  assert(stream.data.token.length > 20, 'a stream can be opened')

  const report = await api.externalReportError({
    client,
    throwOnError: true,
    body: { message: 'Out of stock', module: 'shop' },
  })
  assert(!report.data.deduplicated, 'the error is reported')

  const channels = await api.listOwnChannels({ client, throwOnError: true })
  const channel = channels.data.items.find(({ name }) => name === 'Support')!
  const question = await api.postMessage({
    client,
    throwOnError: true,
    path: { id: channel.id },
    body: { content: 'Where is order 4711?' },
  })
  await api.externalPublishMessage({
    client,
    throwOnError: true,
    path: { channelId: channel.id },
    body: { content: 'It left this morning.', parentMessageId: question.data.id },
  })
  const thread = await api.listThread({ client, throwOnError: true, path: { messageId: question.data.id } })
  assert(
    thread.data.items.some(({ content }) => content === 'It left this morning.'),
    'the answer is in the thread',
  )

  const invoices = await api.listInvoices({ client, throwOnError: true, query: { overdue: true } })
  const link = await api.makePublicLink({
    client,
    throwOnError: true,
    path: { id: invoices.data.data[0]!.id },
  })
  assert(link.data.publicUrl?.startsWith('http') === true, 'the invoice has a page')

  const budgets = await api.listBudgets({ client, throwOnError: true, query: { status: 'SIGNED' } })
  const budgetId = budgets.data.items[0]!.id
  const signatures = await api.listSignatures({ client, throwOnError: true, path: { budgetId } })
  const verified = await api.verifySignature({
    client,
    throwOnError: true,
    path: { budgetId, sigId: signatures.data.items[0]!.id },
  })
  assert(JSON.stringify(verified.data).includes('VALID'), 'the signature is valid')
  process.stdout.write('five minutes\n')
}

function assert(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(`Not so: ${what}`)
}

run().catch(error => {
  process.stderr.write(`${error instanceof Error ? error.stack : JSON.stringify(error)}\n`)
  process.exitCode = 1
})
