/**
 * One cold start, in a new process without other modules: imports a bundle, passes it an event,
 * and prints the CPU time. Arguments: the bundle's address, the event and the context as JSON.
 */
const [address = '', event = '', context = ''] = process.argv.slice(2);
const request: unknown = JSON.parse(event);
const invocation: unknown = JSON.parse(context);

interface Bundle {
  readonly handler: (event: unknown, context: unknown) => Promise<{ readonly statusCode: number }>;
}

const ms = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1000;

const before = process.cpuUsage();
const { handler }: Bundle = await import(address);
const imported = process.cpuUsage(before);
const { statusCode } = await handler(request, invocation);
const answered = process.cpuUsage(before);

console.log(JSON.stringify({ statusCode, importMs: ms(imported), requestMs: ms(answered) - ms(imported) }));
// Open connections would keep the process running.
process.exit(0);
