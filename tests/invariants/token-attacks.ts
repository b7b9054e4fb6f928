import { createHmac, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'

type Json = Record<string, unknown>
/** The parts of a valid token. */
export type ValidToken = { header: Json; payload: Json; secret: string }
export type TokenAttack = { what: string; token: string }

const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A token with an HMAC; every part can be a raw text, to send what JSON.stringify would not produce. */
export function mint(
  header: Json | string,
  payload: Json | string,
  secret: string | Buffer,
  hash = 'sha256',
): string {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${createHmac(hash, secret).update(text).digest('base64url')}`
}

function minted(header: Json, payload: Json, signer: (text: string) => Buffer): string {
  const text = `${part(header)}.${part(payload)}`
  return `${text}.${signer(text).toString('base64url')}`
}

/** Forged tokens, made from a valid one by changing one thing each. `other` is for the other use. */
export function attacks(good: ValidToken, other: ValidToken, stranger: Json): TokenAttack[] {
  const token = mint(good.header, good.payload, good.secret)
  return [
    ...algorithms(good),
    ...keys(good),
    ...headers(good, other),
    ...claims(good, other, stranger),
    ...encodings(good, token),
  ].map(([what, text]) => ({ what, token: text }))
}

type Named = [what: string, token: string]

function algorithms({ header, payload, secret }: ValidToken): Named[] {
  const unsigned = (alg: unknown) => `${part({ ...header, alg })}.${part(payload)}.`
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ed = generateKeyPairSync('ed25519')
  const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }) as string
  const byRsa = (text: string) => createSign('sha256').update(text).sign(rsa.privateKey)
  const byEc = (text: string) =>
    createSign('sha256').update(text).sign({ key: ec.privateKey, dsaEncoding: 'ieee-p1363' })
  const with_ = (alg: unknown) => ({ ...header, alg })
  return [
    ...['none', 'None', 'NONE', 'nOnE', '', null].map(
      (alg): Named => [`algorithm ${alg} without a signature`, unsigned(alg)],
    ),
    ['algorithm none with a signature', mint(with_('none'), payload, secret)],
    ['another hash of the right key: HS384', mint(with_('HS384'), payload, secret, 'sha384')],
    ['another hash of the right key: HS512', mint(with_('HS512'), payload, secret, 'sha512')],
    ['HS512 with the signature of HS256', mint(with_('HS512'), payload, secret)],
    ['RS256 with an HMAC', mint(with_('RS256'), payload, secret)],
    ['ES256 with an HMAC', mint(with_('ES256'), payload, secret)],
    ['PS256 with an HMAC', mint(with_('PS256'), payload, secret)],
    ['the public key as HMAC secret', mint(header, payload, pem)],
    ['the public key with spaces as HMAC secret', mint(header, payload, ` ${pem}\n`)],
    ['an RSA key of their own', minted(with_('RS256'), payload, byRsa)],
    ['an RSA key of their own under HS256', minted(header, payload, byRsa)],
    ['an EC key of their own', minted(with_('ES256'), payload, byEc)],
    [
      'an Ed25519 key of their own',
      minted(with_('EdDSA'), payload, text => sign(null, Buffer.from(text), ed.privateKey)),
    ],
    ['no algorithm', mint({ ...header, alg: undefined }, payload, secret)],
    ['an algorithm in lower case', mint(with_('hs256'), payload, secret)],
    ['a list of algorithms', mint(with_(['HS256', 'none']), payload, secret)],
    ['an algorithm that is a number', mint(with_(256), payload, secret)],
    [
      'the algorithm twice',
      mint(
        JSON.stringify(header).replace('{', '{"alg":"none",'),
        payload,
        'another secret of the same length',
      ),
    ],
    [
      'their own key in jwk, HMAC',
      mint({ ...header, kid: 'x', jwk: { kty: 'oct', k: part('theirs') } }, payload, 'theirs'),
    ],
    ['their own key in jwk, RSA', minted({ ...with_('RS256'), jwk: jwkOf(rsa.publicKey) }, payload, byRsa)],
  ]
}

function jwkOf(key: KeyObject): unknown {
  return key.export({ format: 'jwk' })
}

function keys({ header, payload, secret }: ValidToken): Named[] {
  const guesses = [
    '',
    ' ',
    secret.slice(0, -1),
    `${secret}\n`,
    secret.toUpperCase(),
    Buffer.from(secret).toString('base64'),
    'secret',
    String(header.kid),
  ]
  const kids: unknown[] = [
    undefined,
    '',
    'unknown',
    null,
    1,
    true,
    [header.kid],
    { kid: header.kid },
    `${header.kid} `,
    String(header.kid).toUpperCase(),
    '../../../../dev/null',
    `' or '1'='1`,
    '__proto__',
    'constructor',
    'toString',
    'a'.repeat(300),
  ]
  return [
    ...guesses.map((guess, at): Named => [`guess ${at + 1} at the secret`, mint(header, payload, guess)]),
    ...kids.map(
      (kid): Named => [
        `the key name ${JSON.stringify(kid)?.slice(0, 30)}`,
        mint({ ...header, kid }, payload, secret),
      ],
    ),
    ['an empty key by a file name', mint({ ...header, kid: '/dev/null' }, payload, '')],
  ]
}

function headers({ header, payload, secret }: ValidToken, other: ValidToken): Named[] {
  const theirs = 'a key of theirs that is long enough too'
  const sent = (more: Json, key = secret): string => mint({ ...header, ...more }, payload, key)
  return [
    ['jku to their keys', sent({ jku: 'https://attacker.test/jwks.json', kid: 'theirs' }, theirs)],
    ['x5u to their certificate', sent({ x5u: 'https://attacker.test/cert.pem', kid: 'theirs' }, theirs)],
    ['x5c with their certificate', sent({ x5c: [part('cert')], kid: 'theirs' }, theirs)],
    ['jwk beside a known kid', sent({ jwk: { kty: 'oct', k: part(theirs) } }, theirs)],
    ['an unknown critical extension', sent({ crit: ['theirs'], theirs: 1 })],
    ['a critical claim', sent({ crit: ['exp'], exp: 1 })],
    ['an empty list of critical extensions', sent({ crit: [] })],
    ['critical extensions that are no list', sent({ crit: 'b64' })],
    ['a payload that is not encoded', sent({ crit: ['b64'], b64: false })],
    ['the type of the other use', sent({ typ: other.header.typ })],
    ['the plain type JWT', sent({ typ: 'JWT' })],
    ['no type', sent({ typ: undefined })],
    ['a type that is a list', sent({ typ: [header.typ] })],
    ['an empty type', sent({ typ: '' })],
    ['a token for the other use', mint(other.header, other.payload, secret)],
    [
      'an encrypted token of five parts',
      `${part({ alg: 'dir', enc: 'A256GCM' })}..${part('iv')}.${part(payload)}.${part('tag')}`,
    ],
  ]
}

function claims({ header, payload, secret }: ValidToken, other: ValidToken, stranger: Json): Named[] {
  const mintWith = (more: Json): string => mint(header, { ...payload, ...more }, secret)
  const now = Math.floor(Date.now() / 1000)
  const odd = (name: string): Named[] => [
    [`no ${name}`, mintWith({ [name]: undefined })],
    [`${name} null`, mintWith({ [name]: null })],
    [`${name} a number`, mintWith({ [name]: 1 })],
    [`${name} a list`, mintWith({ [name]: [payload[name]] })],
    [`${name} an object`, mintWith({ [name]: { id: payload[name] } })],
    [`${name} empty`, mintWith({ [name]: '' })],
    [`${name} of nobody`, mintWith({ [name]: 'cnobody00000000000000000' })],
    [`${name} of somebody else`, mintWith({ [name]: stranger[name] })],
  ]
  const twice = JSON.stringify(payload).replace(/}$/, `,"sub":"${stranger.sub}"}`)
  return [
    ...['sub', 'org', 'sid'].flatMap(odd),
    ['the audience of the other use', mintWith({ aud: other.payload.aud })],
    ['no audience', mintWith({ aud: undefined })],
    ['an audience that is a number', mintWith({ aud: 1 })],
    ['a list of other audiences', mintWith({ aud: ['other', ''] })],
    ['another issuer', mintWith({ iss: 'attacker' })],
    ['no issuer', mintWith({ iss: undefined })],
    ['an issuer with a space', mintWith({ iss: `${payload.iss} ` })],
    ['a list of issuers', mintWith({ iss: [payload.iss] })],
    ['over', mintWith({ iat: now - 1000, exp: now - 1 })],
    ['over long ago', mintWith({ exp: 1 })],
    ['over before time began', mintWith({ exp: -1 })],
    ['without an end', mintWith({ exp: undefined })],
    ['an end that is text', mintWith({ exp: '9999999999' })],
    ['an end that is null', mintWith({ exp: null })],
    ['an end that is true', mintWith({ exp: true })],
    [
      'an end beyond numbers',
      mint(header, JSON.stringify(payload).replace(/"exp":\d+/, '"exp":1e999'), secret),
    ],
    ['a longer life than we give', mintWith({ exp: now + 7 * 86_400 })],
    ['issued tomorrow', mintWith({ iat: now + 86_400, exp: now + 86_460 })],
    ['not yet', mintWith({ nbf: now + 3600 })],
    ['a beginning that is text', mintWith({ nbf: 'now' })],
    ['no time of issue', mintWith({ iat: undefined })],
    ['a time of issue that is text', mintWith({ iat: 'now' })],
    ['somebody else named last', mint(header, twice, secret)],
  ]
}

function encodings({ header, payload, secret }: ValidToken, token: string): Named[] {
  const [head, body, tail] = token.split('.') as [string, string, string]
  const wrong = (value: unknown): string => mint(header, value as Json, secret)
  return [
    [
      'the signature of another payload',
      `${head}.${part({ ...payload, sub: 'cnobody00000000000000000' })}.${tail}`,
    ],
    ['a flipped signature', `${head}.${body}.${tail[0] === 'A' ? 'B' : 'A'}${tail.slice(1)}`],
    ['half a signature', `${head}.${body}.${tail.slice(0, 20)}`],
    ['no signature', `${head}.${body}.`],
    ['two parts', `${head}.${body}`],
    ['four parts', `${token}.${tail}`],
    ['one part', head],
    ['dots', '..'],
    ['more dots', '....'],
    ['a space inside', `${head}. ${body}.${tail}`],
    ['a tab inside', `${head}.\t${body}.${tail}`],
    ['two tokens', `${token},${token}`],
    ['padding', `${head}=.${body}=.${tail}=`],
    ['percent signs', `${head}.${body}.${tail}%00`],
    ['a quoted token', `"${token}"`],
    ['a payload that is a list', wrong([payload])],
    ['a payload that is text', wrong('"text"')],
    ['a payload that is null', wrong('null')],
    ['a payload that is no JSON', wrong('{sub')],
    ['an empty payload', wrong('')],
    ['a header that is no JSON', mint('{alg', payload, secret)],
    ['a header that is a list', mint('[]', payload, secret)],
    ['a header that is null', mint('null', payload, secret)],
    [
      'a prototype in the header',
      mint(JSON.stringify(header).replace('{', '{"__proto__":{"kid":"t1"},'), payload, `${secret}?`),
    ],
    ['a huge claim', mint(header, { ...payload, more: 'x'.repeat(9_000) }, secret)],
    ['a huge signature', `${head}.${body}.${'A'.repeat(9_000)}`],
    ['many dots', '.'.repeat(9_000)],
    [
      'another kind of token',
      'v2.local.QAxIpVe-ECVNI1z4xQbm_qQYomyT3h8FtV8bxkz8pBJWkT8f7HtlOpbroPDEZUKop_vaglyp76CzYy375cHmKCW8e1CCkV0Lflu4GTDyXMqQdpZMM1E6OaoQW27gaRSvWBrR3IgbFIa0AkuUFw.UGFyYWdvbiBJbml0aWF0aXZlIEVudGVycHJpc2Vz',
    ],
    ['an empty token', ''],
  ]
}
