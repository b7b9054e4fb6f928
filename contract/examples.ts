/**
 * Values from which the documents make examples: of schemas by their names, of fields by theirs, and whole bodies of
 * operations whose schema alone does not say what makes sense.
 */
export const exampleValues: {
  readonly schemas: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, unknown>>
  readonly bodies: Readonly<Record<string, unknown>>
} = {
  schemas: {
    Id: 'cmhz3k8q1a1b2c3d4e5f6g7h8',
    Time: '2026-01-31T09:30:00.000Z',
    Email: 'ada@example.com',
    Slug: 'release-notes',
    SemanticVersion: '1.4.0',
    Tags: ['writing'],
    Day: '2027-01-31',
    Currency: 'eur',
    Country: 'ES',
    UserId: 'user-4711',
    Cents: 12_100,
    ChannelName: 'Support',
    MessageContent: 'Where is order 4711?',
    OneLine: 'Support',
    Sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  fields: {
    name: 'Support',
    reason: 'Asked for by the customer',
    locale: 'en',
    ip: '203.0.113.7',
    ipAddress: '203.0.113.7',
    schedule: '0 9 * * 1',
    timeZone: 'Europe/Madrid',
    method: 'TRANSFER',
    expires: '12/31',
    secret: 'q7Vb2mXw9Zt4Kd0RjP5s',
    password: 'vierzig blaue Traktoren',
    url: 'https://shop.example.com/webhooks',
    invoiceSeries: 'F',
    rectifyingSeries: 'R',
    taxQrUrl: 'https://tax.example.com/qr',
    documentHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  bodies: {
    setWebhook: { url: 'https://shop.example.com/webhooks', events: [] },
    createShare: { granteeType: 'USER', granteeId: 'cmhz3k8q1a1b2c3d4e5f6g7h8' },
    createAsset: { type: 'PROMPT', name: 'Greeting', bodyMarkdown: 'Say hello.' },
  },
}
