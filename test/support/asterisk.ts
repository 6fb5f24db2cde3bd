import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePorts } from './free-ports.ts';

const ROOT = process.env['WAYPOST_ASTERISK_ROOT'] ?? '';

/** Whether there is a root with Asterisk and SIPp: `npm run test:telephony` makes one. */
export const HAS_ASTERISK = ROOT !== '' && existsSync(join(ROOT, 'usr/sbin/asterisk'));

export const MANAGER = { login: 'waypost', secret: 'manager secret 5' };
/** What the exchange loads: SIP, its dial plan, and what they need. */
const MODULES = [
  ...['res_timing_timerfd', 'res_sorcery_config', 'res_sorcery_memory', 'res_sorcery_astdb', 'res_pjproject'],
  ...[
    'res_pjsip',
    'res_pjsip_pubsub',
    'res_pjsip_session',
    'res_pjsip_sdp_rtp',
    'res_rtp_asterisk',
    'res_pjsip_endpoint_identifier_ip',
  ],
  ...['res_pjsip_caller_id', 'res_statsd', 'res_geolocation', 'chan_pjsip', 'codec_ulaw', 'bridge_simple'],
  ...['pbx_config', 'app_dial', 'func_callerid'],
];
/** A caller, as a SIP telephone of a provider: it calls, waits to be answered, and hangs up when the test says so. */
const CALLER = `<?xml version="1.0" encoding="UTF-8" ?>
<scenario name="caller">
  <send retrans="500"><![CDATA[
INVITE sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "Anna Berg" <sip:NUMBER@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>
Call-ID: [call_id]
CSeq: 1 INVITE
Contact: <sip:NUMBER@[local_ip]:[local_port]>
Max-Forwards: 70
Content-Type: application/sdp
Content-Length: [len]

v=0
o=user1 53655765 2353687637 IN IP4 [local_ip]
s=-
c=IN IP4 [local_ip]
t=0 0
m=audio [media_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000
]]></send>
  <recv response="100" optional="true"/>
  <recv response="180" optional="true"/>
  <recv response="183" optional="true"/>
  <recv response="200" rtd="true"/>
  <send><![CDATA[
ACK sip:[service]@[remote_ip]:[remote_port] SIP/2.0
Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
From: "Anna Berg" <sip:NUMBER@[local_ip]:[local_port]>;tag=[pid]SIPpTag00[call_number]
To: <sip:[service]@[remote_ip]:[remote_port]>[peer_tag_param]
Call-ID: [call_id]
CSeq: 1 ACK
Max-Forwards: 70
Content-Length: 0

]]></send>
  <recv request="BYE"/>
  <send><![CDATA[
SIP/2.0 200 OK
[last_Via:]
[last_From:]
[last_To:]
[last_Call-ID:]
[last_CSeq:]
Content-Length: 0

]]></send>
</scenario>`;

/**
 * A real Asterisk by chroot, on ports of its own. It takes calls for 112 from a trunk, rings the desk 101, and dials
 * for the desks. `sipp` is the callers and the telephones.
 */
export class Asterisk {
  readonly manager: number;
  readonly #directory: string;
  readonly #inside: string;
  readonly #ports: { sip: number; trunk: number; desk: number; outside: number };
  #process: ChildProcess | undefined;
  readonly #telephones = new Set<ChildProcess>();

  private constructor(ports: readonly number[]) {
    const [manager, sip, trunk, desk, outside] = ports as [number, number, number, number, number];
    this.manager = manager;
    this.#ports = { sip, trunk, desk, outside };
    this.#directory = mkdtempSync(join(ROOT, 'tmp/waypost-asterisk-'));
    this.#inside = this.#directory.slice(ROOT.replace(/\/$/, '').length);
    for (const name of ['spool', 'run', 'log', 'db']) mkdirSync(join(this.#directory, name));
    for (const [name, text] of Object.entries(this.#files())) writeFileSync(join(this.#directory, name), text);
  }

  static get version(): string {
    return execFileSync('chroot', [ROOT, 'asterisk', '-V'], { encoding: 'utf8' }).trim();
  }

  static async start(): Promise<Asterisk> {
    const exchange = new Asterisk(await freePorts(5));
    try {
      await exchange.start();
      return exchange;
    } catch (error) {
      await exchange.close();
      throw error;
    }
  }

  async start(): Promise<void> {
    const words = [ROOT, 'asterisk', '-f', '-C', `${this.#inside}/asterisk.conf`];
    this.#process = spawn('chroot', words, { stdio: ['ignore', 'ignore', 'inherit'] });
    await eventually(async () => {
      const socket = connect(this.manager, '127.0.0.1');
      await once(socket, 'data').finally(() => socket.destroy());
    });
    await eventually(() => {
      if (!this.command('core show channeltypes').includes('PJSIP')) throw new Error('PJSIP is not loaded yet.');
      if (!this.command('dialplan show from-trunk').includes('112')) throw new Error('No dial plan yet.');
    });
  }

  /** Ends it as a crash does. */
  async kill(): Promise<void> {
    const running = this.#process;
    this.#process = undefined;
    if (!running) return;
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  }

  /** Says something to its command line, and gives the answer. */
  command(words: string): string {
    return execFileSync('chroot', [ROOT, 'asterisk', '-C', `${this.#inside}/asterisk.conf`, '-rx', words], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  }

  /** Somebody calls 112 from outside. */
  call(number: string): ChildProcess {
    writeFileSync(join(this.#directory, `${number}.xml`), CALLER.replaceAll('NUMBER', number));
    const scenario = ['-sf', `${this.#inside}/${number}.xml`, '-s', '112', '-m', '1'];
    return this.#sipp([...scenario, '-p', String(this.#ports.trunk), `127.0.0.1:${this.#ports.sip}`]);
  }

  /** Connects a telephone that answers at once: the desk's own, or one outside. */
  answer(which: 'desk' | 'outside'): ChildProcess {
    return this.#sipp(['-sn', 'uas', '-p', String(this.#ports[which])]);
  }

  async hangUp(telephone: ChildProcess): Promise<void> {
    this.#telephones.delete(telephone);
    if (telephone.exitCode !== null || telephone.signalCode !== null) return;
    const ended = once(telephone, 'exit');
    telephone.kill('SIGKILL');
    await ended;
  }

  async close(): Promise<void> {
    for (const telephone of [...this.#telephones]) await this.hangUp(telephone);
    await this.kill();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #sipp(words: readonly string[]): ChildProcess {
    const telephone = spawn('chroot', [ROOT, 'sipp', '-i', '127.0.0.1', '-nostdin', ...words], { stdio: 'ignore' });
    this.#telephones.add(telephone);
    return telephone;
  }

  #files(): Record<string, string> {
    const { sip, trunk, desk, outside } = this.#ports;
    const at = this.#inside;
    const endpoint = (name: string, port: number, context: string) => `
[${name}]
type=endpoint
context=${context}
disallow=all
allow=ulaw
aors=${name}
direct_media=no
[${name}]
type=aor
contact=sip:${name}@127.0.0.1:${port}
[${name}-by-address]
type=identify
endpoint=${name}
match=127.0.0.1
`;
    return {
      'asterisk.conf': `[directories]
astetcdir => ${at}
astspooldir => ${at}/spool
astrundir => ${at}/run
astlogdir => ${at}/log
astdbdir => ${at}/db
`,
      'modules.conf': `[modules]\nautoload=no\n${MODULES.map((name) => `load=${name}.so`).join('\n')}\n`,
      'logger.conf': '[logfiles]\nmessages => notice,warning,error\n',
      'manager.conf': `[general]
enabled=yes
port=${this.manager}
bindaddr=127.0.0.1
[${MANAGER.login}]
secret=${MANAGER.secret}
read=call
write=originate,reporting
`,
      'rtp.conf': '[general]\nrtpstart=20000\nrtpend=21000\n',
      'pjsip.conf': `[transport]
type=transport
protocol=udp
bind=127.0.0.1:${sip}
${endpoint('trunk', trunk, 'from-trunk')}
${endpoint('101', desk, 'from-internal').replace(/\[101-by-address\][^]*$/, '')}
${endpoint('outside', outside, 'from-trunk').replace(/\[outside-by-address\][^]*$/, '')}
`,
      'extensions.conf': `[from-trunk]
exten => 112,1,Ringing()
 same => n,Dial(PJSIP/101,60)
 same => n,Hangup()
exten => 113,1,Wait(60)
[from-internal]
exten => _9X.,1,Dial(PJSIP/outside,20)
`,
    };
  }
}
