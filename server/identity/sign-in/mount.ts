import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signInRoutes as described } from '#contract/identity/sign-in.ts'
import { fail } from '#platform/fail.ts'
import { originOf } from '#platform/http/caller.ts'
import { required } from '#platform/required.ts'
import type { Try } from './attempt-limits.ts'
import { toReply, toWebRequest } from './bridge.ts'
import { refuseThrown, refuseTry, send } from './refusals.ts'
import { tokenOf } from './session.ts'
import type { Body, SignInService } from './sign-in.ts'

export { type LiveSession, sessionOf } from './session.ts'

const prefix = '/api/auth'
const bodyLimit = 65_536
const resetAnswerMs = 300

// routes that name the account in the body, because nobody is signed in yet
const byEmail = new Set(['/sign-in/email', '/request-password-reset'])

/**
 * Serves sign-in under `/api/auth` in a Fastify scope. Its routes are listed one by one, so that other routes
 * under the prefix are not affected. Errors have Patio's form. Rejects if sign-in cannot work.
 */
export async function signInRoutes(app: FastifyInstance, signIn: SignInService): Promise<void> {
  await signIn.ready
  await app.register(
    async scope => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit },
        async (_request: FastifyRequest, bytes: Buffer) => readBody(bytes),
      )
      scope.setErrorHandler(refuseThrown)
      scope.get('/methods', async (_request, reply) =>
        send(reply, 200, { password: true, passkey: true, oidc: signIn.oidc }),
      )
      // better-auth serves more routes; the ones that the contract does not describe do not exist here
      for (const { method, path: url, oidc } of described) {
        if (url === '/methods' || (oidc && !signIn.oidc)) continue
        const handler = (request: FastifyRequest, reply: FastifyReply) => serve(signIn, request, reply)
        // a HEAD of a callback must not use up its code
        const exposeHeadRoute = method === 'GET' && url !== '/callback/:id'
        scope.route({ method, url, bodyLimit, exposeHeadRoute, handler })
      }
    },
    { prefix },
  )
}

async function serve(
  signIn: SignInService,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const body = request.body as Body | undefined
  const path = required(request.routeOptions.url, 'the route of a request').slice(prefix.length)
  const credential = signIn.readCredential(request.headers)
  const attempt: Try = { path, address: originOf(request).ip, account: accountOf(path, body, credential) }
  const refused = await signIn.rates.count(attempt)
  if (refused) return refuseTry(reply, refused)

  const webRequest = toWebRequest(signIn, request, credential)
  // the time of the reply must not reveal whether a mail is sent
  const floor = path === '/request-password-reset' && new Promise(done => setTimeout(done, resetAnswerMs))
  const [answer] = await Promise.all([signIn.handle(webRequest), floor])
  if (answer.ok) await signIn.rates.succeeded(attempt)
  return toReply(signIn, request, reply, answer)
}

/** The account of a request: that of the signed-in person if there is one, whatever the body names. */
function accountOf(path: string, body: Body | undefined, credential: string | undefined): string | undefined {
  if (!byEmail.has(path)) return credential && tokenOf(credential)
  const email = body?.fields.email
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined
}

function readBody(bytes: Buffer): Body | undefined {
  if (bytes.length === 0) return undefined
  let text: string
  let fields: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    fields = JSON.parse(text)
  } catch {
    fail('MALFORMED_BODY')
  }
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields))
    refuseBody('Send a JSON object.')
  // PostgreSQL cannot store NUL
  if (text.includes('\\u0000')) refuseBody('Texts must not contain NUL characters.')
  return { text, fields: fields as Record<string, unknown> }
}

function refuseBody(message: string): never {
  fail('VALIDATION_ERROR', { details: [{ path: '', code: 'INVALID', message }] })
}
