#!/usr/bin/env perl
# An agent for version 1 of the agent contract. Uses only modules that come with Perl.
#
#   perl agent.pl          then: http://127.0.0.1:8090, task type WORD_COUNT
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;
use JSON::PP ();
use Time::HiRes qw(sleep time);

use constant { TASK => 'WORD_COUNT', MAX_BODY_BYTES => 1024 * 1024 };

my $json   = JSON::PP->new->utf8->canonical->allow_nonref;
my $sample = { text => 'the quick brown fox jumps over the lazy dog' };
my $card   = {
    name => 'word-count', version => '1.0.0', description => 'Counts the words of a text.', contract => 'agent/v1',
    task_types => [{
        task_type => TASK,
        inputs    => {
            type       => 'object', required => ['text'],
            properties => { text => { type => 'string' }, pause_ms => { type => 'number', minimum => 0 } },
        },
        outputs  => { type => 'object', required => [ 'words', 'counts' ] },
        examples => [$sample],
    }],
};

# The task. `pause_ms` makes the run longer, for testing.
sub count_words {
    my ($inputs, $progress) = @_;
    my @words = split ' ', $inputs->{text};
    my ($done, %counts) = (0);
    for my $word (@words) {
        $counts{$word}++;
        $progress->({ done => ++$done, of => scalar @words });
        sleep(($inputs->{pause_ms} // 0) / 1000);
    }
    return { words => scalar @words, counts => \%counts };
}

# JSON distinguishes strings from numbers; Perl does not show which a value is.
sub is_text { my ($value) = @_; return defined $value && !ref $value && $json->encode($value) =~ /^"/ }
sub is_number { my ($value) = @_; return defined $value && !ref $value && $json->encode($value) =~ /^[-\d]/ }

# Turns a request into a run, or dies with a refusal. Messages never repeat what was sent.
sub accept_request {
    my ($media_type, $body) = @_;
    my $request   = eval { $json->decode($body) };
    my $is_object = ref $request eq 'HASH';
    my $id        = $is_object && is_text($request->{request_id}) ? $request->{request_id} : '';
    my $refuse    = sub { my ($status, $code, $message) = @_; die { status => $status, code => $code, message => $message, id => $id } };

    $refuse->(415, 'UNSUPPORTED_MEDIA_TYPE', 'The body must be application/json.') if $media_type !~ m{^application/json\s*(;|$)}i;
    $refuse->(400, 'INVALID_REQUEST', 'The body must be a JSON object.') if !$is_object;
    for my $name ('request_id', 'task_type') {
        my $right = is_text($request->{$name}) && $request->{$name} =~ /\S/;
        $refuse->(400, 'INVALID_REQUEST', "$name must be a string that is not blank.") if !$right;
    }
    $refuse->(422, 'UNSUPPORTED_TASK', 'This agent does not know that task type.') if $request->{task_type} ne TASK;
    my $inputs = exists $request->{inputs} ? $request->{inputs} : {};
    $refuse->(400, 'INVALID_REQUEST', 'inputs must be an object.') if ref $inputs ne 'HASH';
    my @warnings;
    if (!%$inputs && ($request->{mode} // 'DEMO') eq 'DEMO') {
        ($inputs, @warnings) = ($sample, q(There were no inputs: this is the agent's sample.));
    }
    my $pause = $inputs->{pause_ms} // 0;
    my $fit   = is_text($inputs->{text}) && is_number($pause) && $pause >= 0 && $pause <= 1000;
    $refuse->(400, 'INVALID_INPUTS', 'inputs do not fit the schema in the card.') if !$fit;
    my $budgets  = ref $request->{budgets} eq 'HASH' ? $request->{budgets} : {};
    my $deadline = is_number($budgets->{timeout_ms}) ? time + $budgets->{timeout_ms} / 1000 : undef;
    return { id => $id, inputs => $inputs, deadline => $deadline, warnings => \@warnings };
}

# Executes the run. Returns the body of the sync answer, which is also the data of the terminal event.
sub execute {
    my ($run, $on_progress) = @_;
    my $answer  = { request_id => $run->{id}, task_type => TASK, warnings => $run->{warnings} };
    my $outputs = eval {
        count_words($run->{inputs}, sub {
            $on_progress->(@_);
            die "DEADLINE_EXCEEDED\n" if defined $run->{deadline} && time > $run->{deadline};
        });
    };
    return { %$answer, status => 'ok', ok => JSON::PP::true, outputs => $outputs } if defined $outputs;
    exit 0 if $@ eq "GONE\n";
    my $code = $@ eq "DEADLINE_EXCEEDED\n" ? 'DEADLINE_EXCEEDED' : 'INTERNAL';
    my $error = { code => $code, message => 'The run failed.' };
    return { %$answer, status => 'error', ok => JSON::PP::false, outputs => {}, error => $error };
}

sub refusal {
    my ($id, $code, $message) = @_;
    my $error = { code => $code, message => $message };
    return { request_id => $id, ok => JSON::PP::false, status => 'error', outputs => {}, warnings => [], error => $error };
}

sub head { my ($status, @lines) = @_; return join("\r\n", "HTTP/1.1 $status -", 'Connection: close', @lines, '', '') }

sub answer {
    my ($client, $status, $body) = @_;
    my $text = $json->encode($body);
    print $client head($status, 'Content-Type: application/json', 'Content-Length: ' . length $text), $text;
}

sub stream {
    my ($client, $run) = @_;
    my $event = sub { my ($name, $data) = @_; stop_if_gone($client); print $client "event: $name\ndata: " . $json->encode($data) . "\n\n" };
    print $client head(200, 'Content-Type: text/event-stream', 'Cache-Control: no-cache, no-transform');
    $event->('started', { request_id => $run->{id}, task_type => TASK });
    $event->('final', execute($run, sub { $event->('progress', @_) }));
}

# A disconnected client is readable and returns no bytes.
sub stop_if_gone {
    my ($client) = @_;
    return if !IO::Select->new($client)->can_read(0);
    my $byte = '';
    my $got  = recv($client, $byte, 1, Socket::MSG_PEEK());
    die "GONE\n" if !defined $got || $byte eq '';
}

sub handle {
    my ($client) = @_;
    my ($method, $path) = (<$client> // '') =~ m{^(\S+) (\S+) HTTP/1} or return;
    my %header;
    while (defined(my $line = <$client>)) {
        last if $line =~ /^\r?\n$/;
        $header{ lc $1 } = $2 if $line =~ /^([^:\s]+):\s*(.*?)\s*$/;
    }
    my %page = ('/health' => { status => 'ok' }, '/health/ready' => { status => 'ready' }, '/agents/card' => $card);
    return answer($client, 200, $page{$path}) if $method eq 'GET' && $page{$path};
    my $is_run = $method eq 'POST' && $path =~ m{^/agents/run/(sync|stream)$};
    return answer($client, 404, refusal('', 'NOT_FOUND', 'There is nothing here.')) if !$is_run;
    my $streams = $path =~ /stream$/;
    my $length = $header{'content-length'} // 0;
    return answer($client, 413, refusal('', 'PAYLOAD_TOO_LARGE', 'The body is too large.')) if $length > MAX_BODY_BYTES;
    read($client, my $body, $length);
    my $run = eval { accept_request($header{'content-type'} // '', $body) };
    return answer($client, $@->{status}, refusal(@{$@}{qw(id code message)})) if !$run;
    return stream($client, $run) if $streams;
    answer($client, 200, execute($run, sub { stop_if_gone($client) }));
}

$SIG{CHLD} = $SIG{PIPE} = 'IGNORE';
my ($host, $port) = ($ENV{HOST} // '127.0.0.1', $ENV{PORT} // 8090);
my $server = IO::Socket::INET->new(LocalAddr => $host, LocalPort => $port, Listen => 64, ReuseAddr => 1) or die "cannot listen\n";
$| = 1;
print "http://$host:", $server->sockport, "\n";

# One process per connection: the simplest way to keep a slow run from blocking the others.
while (my $client = $server->accept) {
    if (!fork) { close $server; $client->autoflush(1); eval { handle($client) }; exit 0 }
    close $client;
}
