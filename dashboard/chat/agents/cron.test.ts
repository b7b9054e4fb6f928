import { Cron } from 'croner'
import { describe, expect, it } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { nextTimes, parseCron } from './cron.rules.ts'
import { scheduleText, zoneCity } from './cron.words.ts'

const from = Date.parse('2026-11-23T20:30:00Z')
const schedules = [
  '* * * * *',
  '0 9 * * 1-5',
  '*/15 0-6,12 1,15 JAN-MAR MON',
  '0 0 * * 7',
  '0 0 29 2 *',
  '0-59/7 * * * *',
  '30 */5 */2 * *',
  '15 10 1 * 5-7',
  '0 12 31 * *',
  '5 4 * 6,12 SUN,SAT',
]

const scheduleOf = (text: string) => defined(parseCron(text))

describe.each(['Europe/Madrid', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'])('in %s', zone => {
  // the server validates schedules with this library
  it.each(schedules)('%s has the same next times as on the server', text => {
    const cron = new Cron(text, { mode: '5-part', timezone: zone, paused: true })
    const expected = cron.nextRuns(5, new Date(from)).map(time => time.toISOString())
    const found = nextTimes(scheduleOf(text), zone, from, 5).map(time => new Date(time).toISOString())
    expect(found).toEqual(expected)
  })
})

it('follows the clock of the zone over its changes', () => {
  const daily = scheduleOf('30 8 * * *')
  const times = nextTimes(daily, 'Europe/Madrid', Date.parse('2026-10-24T00:00:00Z'), 3)
  expect(times.map(time => new Date(time).toISOString().slice(0, 16))).toEqual([
    '2026-10-24T06:30',
    '2026-10-25T07:30',
    '2026-10-26T07:30',
  ])
  // 2:30 does not exist on that day
  const skipped = nextTimes(scheduleOf('30 2 * * *'), 'Europe/Madrid', Date.parse('2026-03-28T12:00:00Z'), 2)
  expect(skipped.map(time => new Date(time).toISOString().slice(0, 16))).toEqual([
    '2026-03-29T01:30',
    '2026-03-30T00:30',
  ])
})

it.each(['', '* * * *', '60 * * * *', '* * 0 * *', '5-1 * * * *', '*/0 * * * *', '0 0 L * *', 'X * * * *'])(
  '%j is no schedule',
  text => expect(parseCron(text)).toBeUndefined(),
)

it.each([
  ['0 9 * * 1-5', 'De lunes a viernes a las 9:00', 'Monday to Friday at 9:00'],
  ['0 9,17 * * *', 'Todos los días a las 9:00 y 17:00', 'Every day at 9:00 and 17:00'],
  ['30 1 * * *', 'Todos los días a la 1:30', 'Every day at 1:30'],
  ['0 8 * * MON,THU', 'Los lunes y jueves a las 8:00', 'On Mondays and Thursdays at 8:00'],
  ['0 8 * * 0,6', 'Los sábados y domingos a las 8:00', 'On Saturdays and Sundays at 8:00'],
  ['0 8 1 * *', 'El día 1 de cada mes a las 8:00', 'On day 1 of each month at 8:00'],
  ['0 8 1-7 * *', 'Del 1 al 7 de cada mes a las 8:00', 'From day 1 to 7 of each month at 8:00'],
  [
    '0 8 1,15 1,7 *',
    'Los días 1 y 15 de enero y julio a las 8:00',
    'On days 1 and 15 of January and July at 8:00',
  ],
  [
    '0 8 1 * 1',
    'El día 1 de cada mes y también los lunes a las 8:00',
    'On day 1 of each month and also on Mondays at 8:00',
  ],
  ['*/15 * * * *', 'Cada 15 minutos', 'Every 15 minutes'],
  ['* * * * *', 'Cada minuto', 'Every minute'],
  ['0 * * * *', 'Cada hora, en punto', 'Every hour, on the hour'],
  ['30 * * * *', 'Cada hora, en el minuto 30', 'Every hour, at minute 30'],
  ['0 */2 * * *', 'Cada 2 horas, en punto', 'Every 2 hours, on the hour'],
  [
    '*/10 9-17 * * 1-5',
    'Cada 10 minutos, de 9:00 a 17:50, de lunes a viernes',
    'Every 10 minutes, from 9:00 to 17:50, Monday to Friday',
  ],
  ['0 9-18 * * *', 'Cada hora, de 9:00 a 18:00', 'Every hour, from 9:00 to 18:00'],
  ['7,23 * * * *', 'Cada hora, en los minutos 7 y 23', 'Every hour, at minutes 7 and 23'],
  ['0 8 */2 * *', 'Los días 1, 3, 5… de cada mes a las 8:00', 'On days 1, 3, 5… of each month at 8:00'],
  ['0 8 * 8 *', 'Todos los días en agosto a las 8:00', 'Every day in August at 8:00'],
])('%s in words', (text, es, en) => {
  const schedule = scheduleOf(text)
  expect([scheduleText(schedule, 'es'), scheduleText(schedule, 'en')]).toEqual([es, en])
})

it('names the city of a zone', () => {
  expect(zoneCity('America/Argentina/Buenos_Aires')).toBe('Buenos Aires')
  expect(zoneCity('UTC')).toBe('UTC')
})
